import Foundation
import Glibc
import Synchronization
import TestSupport

/// The browser shared by all tests of this process that want this build: starting one takes longer
/// than many of them.
final class Chromium: Sendable {
    let wire: Wire
    let registry = Browser.VisitorRegistry()
    private let process: BrowserProcess
    private let directory: String

    private static let current = Current()

    /// Returns the running browser, starting one if necessary.
    static func running(_ build: BrowserBuild) async throws -> Chromium {
        try await current.running(build)
    }

    private actor Current {
        private var starts: [BrowserBuild: Task<Chromium, any Error>] = [:]

        func running(_ build: BrowserBuild) async throws -> Chromium {
            if let start = starts[build], let known = try? await start.value, !known.wire.hasEnded {
                return known
            }
            let start = Task { try await Chromium(build) }
            starts[build] = start
            return try await start.value
        }
    }

    private init(_ build: BrowserBuild) async throws {
        var name = Array("/tmp/kith-chromium-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { throw BrowserError("mkdtemp: errno \(errno)") }
        directory = String(
            decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let registry = registry
        wire = try Wire(in: directory) { Browser.take($0, registry) }
        process = BrowserProcess(build, in: directory)
        Chromium.left.withLock { $0.append((process, directory)) }
        Chromium.tidiesUp
        do {
            // A service worker is paused until it is known: it may have to be offline from the
            // start.
            try await wire.send(
                "Target.setAutoAttach",
                [
                    "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true,
                    "filter": [["type": "service_worker"]],
                ])
        } catch {
            throw BrowserError("The browser does not start: \(error)\n\(process.lastWords)")
        }
    }

    // MARK: The end

    private static let left = Mutex<[(process: BrowserProcess, directory: String)]>([])

    /// Removes the browser and its files when this process exits.
    private static let tidiesUp: Void = {
        atexit {
            for (process, directory) in Chromium.left.withLock({ $0 }) {
                process.kill()
                try? FileManager.default.removeItem(atPath: directory)
            }
        }
    }()
}
