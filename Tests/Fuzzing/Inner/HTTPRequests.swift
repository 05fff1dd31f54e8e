#if DEBUG
import HTTPTypes
import Hummingbird
import JSON
import NIOCore
import Synchronization

/// Requests of HTTP, to a page that reaches no broker.
///
/// The first line is the method and the address, after a `!` if the page does not know its own names;
/// then lines of the head, an empty line, and the body.
///
///     POST /api/fix
///     Host: kith.example.org
///     Authorization: Bearer ann.phone.AAAA…
///
///     {"latitude":46.05,"longitude":14.5}
enum HTTPRequests {
    static func run(_ bytes: [UInt8]) throws {
        let isNamed = bytes.first != UInt8(ascii: "!")
        guard let request = RequestText(isNamed ? bytes : Array(bytes.dropFirst()))?.request else {
            return
        }
        let site = try (isNamed ? HTTPSite.named : HTTPSite.unnamed).get()
        let answer = try waiting { try await HTTPRequests.ask(site, request) }
        try check(answer, to: request)
        if let host = request.head.authority {
            try checkHost(host, isRefused: answer.status == 421, request, isNamed: isNamed)
        }
    }

    private struct Answer: Sendable {
        let status: Int
        let fields: HTTPFields
        let body: [UInt8]
    }

    private static func ask(_ site: HTTPSite, _ request: Request) async throws -> Answer {
        let response = try await site.respond(to: request)
        let written = Written()
        try await response.body.write(BodyWriter(written: written))
        return Answer(
            status: response.status.code, fields: response.headers,
            body: written.bytes.withLock { $0 })
    }

    private static func check(_ answer: Answer, to request: Request) throws {
        let (status, fields) = (answer.status, answer.fields)
        try expect((200..<600).contains(status), "it is answered")
        try expect(status != 500, "nothing goes wrong inside")
        for field in fields {
            try expect(
                field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F },
                "no words make a header: \(field.name)")
        }
        try expect(fields[.contentSecurityPolicy] != nil, "a response has a policy")
        try expect(
            status != 405 || fields[.allow] != nil, "a 405 lists the allowed methods")
        guard status >= 400, request.method != .head else { return }
        guard let told = JSONValue(parsing: answer.body, isOurs: true) else {
            throw Finding("a refusal is JSON")
        }
        // `/healthz` answers 503 with what it has found.
        guard fields[.contentType] == "application/problem+json" else { return }
        try expect(told["status"]?.integer == Int64(status), "the body has the response's status")
    }

    private static func checkHost(
        _ host: String, isRefused: Bool, _ request: Request, isNamed: Bool
    ) throws {
        guard !isNamed else {
            return try expect(!isRefused, "who has a proxy before the page knows its names")
        }
        let path = request.uri.path
        let isCall = path == "/api/sos.trigger"
        if isRefused {
            try expect(path != "/healthz", "health is asked for under any name")
            try expect(
                !isCall || request.headers[.authorization] == nil,
                "no call for help is refused for a name")
        }
        let isOfOthers = host.wholeMatch(of: /[A-Za-z0-9.-]+\.example\.org/) != nil
        guard isOfOthers, request.headers[.authorization] == nil, path != "/healthz" else { return }
        try expect(isRefused, "a request for another host is refused")
    }

    // MARK: What is written

    private final class Written: Sendable {
        let bytes = Mutex<[UInt8]>([])
    }

    private struct BodyWriter: ResponseBodyWriter {
        let written: Written

        mutating func write(_ buffer: ByteBuffer) async throws {
            let more = Array(buffer.readableBytesView)
            written.bytes.withLock { $0 += more }
        }

        func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }
}

/// A request as text.
private struct RequestText {
    let request: Request

    private static let maximumFields = 64

    /// Nil for what no client could send.
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        var lines: [Substring] = []
        while !rest.isEmpty, lines.count <= RequestText.maximumFields {
            let line = String(
                decoding: rest.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
            rest = rest.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
            let bare = line.hasSuffix("\r") ? line.dropLast() : line[...]
            if bare.isEmpty { break }
            lines.append(bare)
        }
        guard let words = lines.first?.split(separator: " ", maxSplits: 1), words.count == 2,
            let method = HTTPRequest.Method(rawValue: String(words[0]))
        else { return nil }
        var (fields, host): (HTTPFields, String?) = (HTTPFields(), nil)
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, !line.hasPrefix(":"),
                let name = HTTPField.Name(String(parts[0]))
            else { continue }
            let value = String(parts[1].drop { $0 == " " })
            if name.canonicalName == "host" {
                host = value
            } else {
                fields.append(HTTPField(name: name, value: value))
            }
        }
        request = Request(
            head: HTTPRequest(
                method: method, scheme: "http", authority: host, path: String(words[1]),
                headerFields: fields),
            body: RequestBody(buffer: ByteBuffer(bytes: rest)))
    }
}
#endif
