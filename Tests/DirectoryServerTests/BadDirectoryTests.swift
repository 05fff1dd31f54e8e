import Directory
import Foundation
import Subprocess
import SystemPackage
import Testing

/// Directories that are ill, or mean harm.
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

    /// Compared with what it has to bear, the time is short; without a limit it would be minutes.
    @Test(arguments: ["silent", "half", "drips", "garbage"], DirectoryServer.Security.allCases)
    func `A directory that hangs is left behind when the time is over`(
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
    func `One that sends too much or breaks off is an error`(
        _ how: String, _ security: DirectoryServer.Security
    ) async throws {
        try await withDirectory(how) { port in
            let error = try ask(port, security, within: .seconds(25))
            #expect([.tls, .unreachable].contains(error), "\(String(describing: error))")
        }
    }

    @Test func `One that refers elsewhere is not followed`() async throws {
        try await withDirectory("refers") { port in
            let error = try ask(port, .none, within: .seconds(25))
            #expect(error == .redirected)
        }
    }

    @Test func `Directory, none there, is said by the probe as well`() throws {
        var settings = DirectorySettings(
            server: try #require(DirectoryServer("ldap://127.0.0.1:1")), base: "dc=example",
            bind: nil, filter: try #require(DirectoryPattern("(uid={user})", .filter)))
        settings.timeLimit = .seconds(25)
        #expect(throws: DirectoryError.unreachable) { try DirectoryClient(settings).reach() }
    }

    @Test func `None is an error`() throws {
        #expect(try ask(1, .none, within: .seconds(25)) == .unreachable)
    }
}
