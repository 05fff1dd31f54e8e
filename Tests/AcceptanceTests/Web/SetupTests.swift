import Foundation
import TestSupport
import Testing

/// Complaints of `kith web` about a configuration that cannot work.
@Suite(.timeLimit(.minutes(2)))
struct SetupTests {
    private func web(_ directory: String, _ arguments: [String], _ settings: [String: String] = [:])
        async throws -> Ending
    {
        try await Program.run(
            Program.kith, ["web", "--data", directory] + arguments, environment: settings)
    }

    @Test(arguments: [
        (["KITH_WEB_ORIGIN": "https://kith.example.org/"], "web.origin"),
        (["KITH_WEB_ORIGIN": "kith.example.org"], "web.origin"),
        (["KITH_WEB_TILES": "https://a;script-src */{z}"], "web.tiles"),
        (["KITH_WEB_PORT": "70000"], "web.port"),
        (["KITH_WEB_BEHIND_PROXY": "perhaps"], "web.behindProxy"),
    ])
    func `Invalid settings are named`(_ settings: [String: String], _ key: String) async throws {
        try await withTemporaryDirectory { directory in
            let ending = try await web(directory, [], settings)
            #expect(ending.status == 1)
            #expect(ending.complaints.count == 1)
            #expect(ending.errors.contains(key), "\(ending)")
            let check = try await Program.run(
                Program.kith, ["check-config", "--data", directory], environment: settings)
            #expect(check.status == 1 && check.errors.contains(key))
        }
    }

    @Test func `A taken port and missing pages are reported in a sentence`() async throws {
        try await withSite { installation, site in
            let taken = try await web(installation.directory, ["--port", "\(site.port)"])
            #expect(taken.status == 1)
            #expect(taken.errors.contains("port \(site.port) is taken"), "\(taken)")
            let nowhere = try await web(
                installation.directory, ["--port", "0", "--pages", "/nowhere"])
            #expect(nowhere.status == 1)
            #expect(nowhere.errors == "kith: The pages in /nowhere cannot be read.\n")
        }
    }
}
