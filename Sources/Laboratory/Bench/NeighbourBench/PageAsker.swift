internal import Glibc

/// Sends the page one request at a time, each over its own connection. It reads only the beginning
/// of an answer.
final class PageAsker {
    struct Answer {
        /// 0: the connection ended without an answer.
        let status: Int
        let after: Duration
    }

    private let client = RawClient()
    private let port: UInt16
    private let address: String
    private var head: [UInt8] = []
    private var start: ContinuousClock.Instant?
    private var buffer = [UInt8](repeating: 0, count: 4096)

    /// - Parameter address: the client's, as reported by a proxy in front of the page.
    init(_ site: BenchSite, from address: String) {
        (port, self.address) = (site.pagePort, address)
    }

    var isWaiting: Bool { start != nil }

    func post(
        _ path: String, token: String? = nil, type: String = "application/json", _ body: [UInt8]
    ) throws(RawClientError) {
        try client.open(port)
        let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        client.sendText(
            "POST \(path) HTTP/1.1\r\nHost: bench\r\nX-Forwarded-For: \(address)\r\n"
                + "\(authorization)Content-Type: \(type)\r\nContent-Length: \(body.count)\r\n\r\n")
        client.sendBytes(body)
        (head, start) = ([], .now)
    }

    /// Continues sending and reading.
    ///
    /// - Returns: the answer, once, as soon as its status is known.
    func answer() -> Answer? {
        guard let start else { return nil }
        // A refusal may arrive before everything is sent.
        let isWritable = client.flush()
        let count = client.read(into: &buffer)
        head += buffer.prefix(count ?? 0)
        guard let status = PageAsker.status(head) ?? (isWritable && count != nil ? nil : 0) else {
            return nil
        }
        client.close()
        self.start = nil
        return Answer(status: status, after: .now - start)
    }

    /// `HTTP/1.1 200 …`
    private static func status(_ head: [UInt8]) -> Int? {
        head.count < 12 ? nil : Int(String(decoding: head[9..<12], as: UTF8.self))
    }
}

/// The number of answers with each status.
struct AnswerCounts: CustomStringConvertible {
    private var counts: [Int: Int] = [:]

    mutating func note(_ answer: PageAsker.Answer?) {
        if let answer { counts[answer.status, default: 0] += 1 }
    }

    var description: String {
        let counts = counts.sorted { $0.key < $1.key }.map { "\($0.value) with \($0.key)" }
        return counts.isEmpty ? "none answered" : "answered \(counts.joined(separator: ", "))"
    }
}
