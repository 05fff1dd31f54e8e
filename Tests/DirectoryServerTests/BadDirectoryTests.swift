import Directory
import Foundation
import Subprocess
import SystemPackage
import Testing

/// Broken or malicious directories.
@Suite(.timeLimit(.minutes(2))) struct BadDirectoryTests {
    private func withDirectory(
        _ how: String, _ body: (Int) async throws -> Void
    ) async throws {
        let script =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
            + "/Servers/bad_directory.py"
        _ = try await Subprocess.run(
            .path("/usr/bin/python3"), arguments: [script, how], input: .none, output: .sequence,
            error: .discarded
        ) { execution in
            var lines = execution.standardOutput.strings().makeAsyncIterator()
            let port = try #require(try await lines.next().flatMap { Int($0) })
            let result: Result<Void, any Error>
            do { result = .success(try await body(port)) } catch { result = .failure(error) }
            try execution.send(signal: .kill)
            try result.get()
        }
    }

    private func ask(_ port: Int, _ security: DirectoryServer.Security, within limit: Duration)
        throws -> DirectoryError?
    {
        let server = DirectoryServer(host: "127.0.0.1", port: port, security: security)
        let filter = try #require(DirectoryPattern("(uid={user})", .filter))
        var settings = DirectorySettings(
            server: server, base: "dc=org", bind: DirectoryPattern("uid={user},dc=org", .name),
            filter: filter)
        settings.timeLimit = limit
        do throws(DirectoryError) {
            let entry = try DirectoryClient(settings).authenticate("anna", password: [1])
            #expect(entry == nil)
            return nil
        } catch {
            return error
        }
    }

    /// The limit is short compared with the 25 s allowed; without one it would take minutes.
    @Test(arguments: ["silent", "half", "drips", "garbage"], DirectoryServer.Security.allCases)
    func `A hanging directory is abandoned at the time limit`(
        _ how: String, _ security: DirectoryServer.Security
    ) async throws {
        try await withDirectory(how) { port in
            let start = ContinuousClock.now
            let error = try ask(port, security, within: .milliseconds(700))
            #expect(
                [.timedOut, .tls, .unreachable].contains(error), "\(String(describing: error))")
            #expect(ContinuousClock.now - start < .seconds(25))
        }
    }

    @Test(arguments: ["floods", "closes"], DirectoryServer.Security.allCases)
    func `A directory that floods or breaks off is an error`(
        _ how: String, _ security: DirectoryServer.Security
    ) async throws {
        try await withDirectory(how) { port in
            let error = try ask(port, security, within: .seconds(25))
            #expect([.tls, .unreachable].contains(error), "\(String(describing: error))")
        }
    }

    @Test func `A referral is not followed`() async throws {
        try await withDirectory("refers") { port in
            let error = try ask(port, .none, within: .seconds(25))
            #expect(error == .redirected)
        }
    }

    @Test func `The probe reports an unreachable directory`() throws {
        var settings = DirectorySettings(
            server: try #require(DirectoryServer("ldap://127.0.0.1:1")), base: "dc=example",
            bind: nil, filter: try #require(DirectoryPattern("(uid={user})", .filter)))
        settings.timeLimit = .seconds(25)
        #expect(throws: DirectoryError.unreachable) { try DirectoryClient(settings).reach() }
    }

    @Test func `An unreachable directory is an error`() throws {
        #expect(try ask(1, .none, within: .seconds(25)) == .unreachable)
    }
}
