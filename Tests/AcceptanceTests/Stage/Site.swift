import Foundation
import Testing

/// `kith web` for an installation, and a stock client of it: `curl`.
struct Site: Sendable {
    let port: Int
    let program: RunningProgram

    /// Returns when it listens.
    init(_ installation: Installation, _ settings: [String: String] = [:]) async throws {
        let program = RunningProgram(
            Program.kith, ["web", "--port", "0", "--data", installation.directory],
            environment: ["KITH_BROKER_PORT": "\(installation.port)"].merging(settings) { $1 })
        self.program = program
        let found = try await eventually("a page: \(program.lines)") { () -> Int? in
            let line = program.lines.first { $0.contains("The page is at") }
            if line == nil, program.ending != nil { return 0 }
            return line?.split(separator: ":").last.flatMap { Int($0.dropLast()) }
        }
        try #require(found > 0, "it ended: \(program.lines)")
        port = found
    }

    var address: String { "http://127.0.0.1:\(port)" }

    struct Answer: Sendable {
        var status = 0
        /// By their names in small letters.
        var headers: [String: String] = [:]
        var body = ""

        var json: JSON { JSON(parsing: body) }
        var problem: String? { json["type"].text }
    }

    /// `curl` with these arguments, the path first.
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

    /// `POST /api/{method}` with a token, as a program does it.
    func ask(_ token: String, _ method: String, _ payload: String = "{}") async throws -> Answer {
        try await curl(
            "/api/\(method)", ["-H", "Authorization: Bearer \(token)", "-d", payload])
    }

    /// What a page of this site sends along.
    static let sameSite = [
        "-H", "Sec-Fetch-Site: same-origin", "-H", "Content-Type: application/json",
    ]

    /// A reader of events that stays.
    func events(_ token: String, _ topics: String..., arguments: [String] = []) -> RunningProgram {
        let query = topics.map { "topic=" + $0.replacingOccurrences(of: "#", with: "%23") }
        return RunningProgram(
            "curl",
            ["-sN", "-H", "Authorization: Bearer \(token)"] + arguments + [
                "\(address)/api/events?" + query.joined(separator: "&")
            ])
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
