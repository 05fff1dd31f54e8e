import Foundation
import TestSupport
import Testing

/// `kith web` for an installation, and a stock client for it: `curl`.
struct Site: Sendable {
    let page: RunningPage
    /// Without a trailing slash.
    let address: String
    let port: Int

    /// Returns when it listens.
    init(_ installation: Installation, _ settings: [String: String] = [:]) async throws {
        page = try await installation.openPage(port: "0", settings, as: .modules)
        address = String(try #require(page.address).dropLast())
        port = try #require(URL(string: address)?.port)
    }

    var program: RunningProgram { page.program }

    struct Answer: Sendable {
        var status = 0
        /// By name, in lower case.
        var headers: [String: String] = [:]
        var body = ""

        var json: JSON { JSON(parsing: body) }
        var problem: String? { json["type"].text }
    }

    /// Runs `curl` with these arguments, the path first.
    func curl(_ path: String, _ arguments: [String] = []) async throws -> Answer {
        let text = try await Program.succeed(
            "curl", ["-s", "-i", "--path-as-is", "--max-time", "40"] + arguments + [address + path])
        let normal = text.replacingOccurrences(of: "\r\n", with: "\n")
        var (head, body) = Site.cut(normal)
        while head.hasPrefix("HTTP/1.1 100") { (head, body) = Site.cut(body) }
        var answer = Answer(body: body)
        for (index, line) in head.split(separator: "\n").enumerated() {
            if index == 0 {
                answer.status = Int(line.split(separator: " ")[1]) ?? 0
            } else if let colon = line.firstIndex(of: ":") {
                answer.headers[line[..<colon].lowercased()] =
                    line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            }
        }
        return answer
    }

    private static func cut(_ text: String) -> (String, String) {
        guard let end = text.range(of: "\n\n") else { return (text, "") }
        return (String(text[..<end.lowerBound]), String(text[end.upperBound...]))
    }

    /// `POST /api/{method}` with a token, as a program sends it.
    func ask(_ token: String, _ method: String, _ payload: String = "{}") async throws -> Answer {
        try await curl(
            "/api/\(method)", ["-H", "Authorization: Bearer \(token)", "-d", payload])
    }

    /// The headers that a page of this site sends.
    static let sameSite = [
        "-H", "Sec-Fetch-Site: same-origin", "-H", "Content-Type: application/json",
    ]

    /// A reader of the event stream. Returns when all its topics are granted.
    func events(_ token: String, _ topics: String..., arguments: [String] = []) async throws
        -> RunningProgram
    {
        let query = topics.map { "topic=" + $0.replacingOccurrences(of: "#", with: "%23") }
        let reader = RunningProgram(
            "curl",
            ["-sN", "-H", "Authorization: Bearer \(token)"] + arguments + [
                "\(address)/api/events?" + query.joined(separator: "&")
            ])
        _ = try await eventually("a stream of events") { () -> Bool? in
            reader.lines.isEmpty ? nil : true
        }
        return reader
    }
}

/// Runs `body` with a broker, the bridge, the page and their data.
func withSite(
    _ settings: [String: String] = [:], _ body: (Installation, Site) async throws -> Void
) async throws {
    try await withInstallation { installation in
        try await installation.start()
        let site = try await Site(installation, settings)
        do {
            try await body(installation, site)
            await site.program.kill()
        } catch {
            await site.program.kill()
            throw error
        }
    }
}
