import TestSupport
import Testing

/// `kith web`, and the address that it prints.
struct RunningPage {
    let program: RunningProgram

    var address: String? {
        let line = program.lines.first { $0.contains("The page is at ") }
        return line?.split(separator: " ").last.map(String.init)
    }
}

extension Installation {
    /// Returns when it can be visited.
    nonisolated func openPage(
        port: String, _ settings: [String: String] = [:], as form: PageForm = .bundle
    ) async throws -> RunningPage {
        let pages = form == .bundle ? ["--pages", try await PageBundle.directory()] : []
        let web = RunningPage(
            program: RunningProgram(
                Program.kith, ["web", "--data", directory, "--port", port] + pages,
                environment: settings.merging(["KITH_BROKER_PORT": "\(self.port)"]) { $1 }))
        let isOpen = try await eventually("a page:\n\(web.program.lines)") { () -> Bool? in
            if web.address != nil { return true }
            return web.program.ending == nil ? nil : false
        }
        try #require(isOpen, "it ended: \(web.program.lines)")
        return web
    }
}
