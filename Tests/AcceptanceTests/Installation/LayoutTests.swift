import Foundation
import TestBroker
import TestSupport
import Testing

/// An installed program finds its own files from its real location.
@Suite(.timeLimit(.minutes(2)))
struct LayoutTests {
    /// A tree as in a package, and a working directory with another plugin in it.
    private func withPrefix(
        hasGate: Bool = true, _ body: (_ prefix: String, _ elsewhere: String) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            let (prefix, elsewhere) = (directory + "/prefix", directory + "/elsewhere")
            let files = FileManager.default
            for path in ["bin", "lib/kith", "share/kith/tools"] {
                try files.createDirectory(
                    atPath: "\(prefix)/\(path)", withIntermediateDirectories: true)
            }
            try files.createDirectory(
                atPath: elsewhere + "/bin", withIntermediateDirectories: true)
            try files.copyItem(atPath: Program.kith, toPath: prefix + "/bin/kith")
            if hasGate {
                try files.createSymbolicLink(
                    atPath: prefix + "/lib/kith/libKithGate.so", withDestinationPath: Program.gate)
            }
            for name in ["pages", "broker-config"] {
                try files.copyItem(
                    atPath: "\(Document.project)/\(name)", toPath: "\(prefix)/share/kith/\(name)")
            }
            // Through two links, the second of which is relative.
            try files.createSymbolicLink(
                atPath: elsewhere + "/bin/kith", withDestinationPath: "../link")
            try files.createSymbolicLink(
                atPath: elsewhere + "/link", withDestinationPath: prefix + "/bin/kith")
            for path in ["libKithGate.so", "lib/kith/libKithGate.so", "bin/libKithGate.so"] {
                let url = URL(fileURLWithPath: "\(elsewhere)/\(path)")
                try files.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data("This must not be loaded.".utf8).write(to: url)
            }
            try await body(prefix, elsewhere)
        }
    }

    /// The arguments of `env`, for the program in `PATH` and the working directory.
    private func up(from elsewhere: String) throws -> [String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return [
            "-C", elsewhere, "PATH=\(elsewhere)/bin:\(path)", "kith", "up", "--data",
            elsewhere + "/data", "--port", "\(try reservePort())", "--web-port", "0",
        ]
    }

    @Test func `kith finds its own files through PATH and links, and loads no others`() async throws
    {
        try await withPrefix { prefix, elsewhere in
            let up = RunningProgram("env", try up(from: elsewhere))
            _ = try await eventually("a connected bridge: \(up.lines)") {
                up.lines.contains { $0.contains("Connected to the broker") } ? true : nil
            }
            let configuration = try String(
                contentsOfFile: elsewhere + "/data/broker/mosquitto.conf", encoding: .utf8)
            #expect(configuration.contains("plugin \(prefix)/lib/kith/libKithGate.so\n"))
            await up.end(SIGTERM)
            #expect(up.ending == "exited(0)", "\(up.lines)")
        }
    }

    @Test func `kith without its plugin does not load one from the working directory`() async throws
    {
        try await withPrefix(hasGate: false) { _, elsewhere in
            let ending = try await Program.run("env", try up(from: elsewhere))
            #expect(ending.status == 1)
            #expect(
                ending.errors.contains("There is no libKithGate.so beside this program"),
                "\(ending)")
        }
    }
}
