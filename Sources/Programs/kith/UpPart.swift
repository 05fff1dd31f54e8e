import ArgumentParser
import Contract
import Foundation
import LocalBroker
import Logging
import ServiceLifecycle
import Supervision

/// A part that `kith up` runs as a separate process, beside the broker, so that its end affects
/// neither the other part nor the broker.
enum UpPart: String, ExpressibleByArgument {
    case bridge, page

    var name: String { "the \(rawValue)" }
    /// The page is not needed for a call for help.
    var isNeeded: Bool { self == .bridge }
}

extension UpPart {
    /// In a part's environment: the process identifier of its supervisor, and the data directory.
    private static let mark = "KITH_PART_OF"
    /// In the environment of the demo's page: the token with which visitors watch.
    private static let demo = "KITH_DEMO_TOKEN"

    /// Returns a command for this program with the same arguments.
    ///
    /// - Parameter more: arguments that override them.
    func command(
        data: String, topics: TopicSpace, demo: DeviceToken?, _ more: [String] = []
    ) -> SupervisedProcess.Command {
        var environment = [
            UpPart.mark: "\(getpid()):\(UpPart.absolute(data))",
            // As known to the broker's gate, even if the configuration has changed.
            "KITH_TOPICS_ROOT": topics.root,
        ]
        if let demo { environment[UpPart.demo] = demo.text }
        return SupervisedProcess.Command(
            executable: UpPart.program,
            arguments: CommandLine.arguments.dropFirst() + ["--part", rawValue] + more,
            environment: environment)
    }

    /// The file as it was when this process started: an upgrade may replace it.
    private static let program =
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path

    /// Removes from a part's environment the variables meant only for it, and not for processes
    /// that it starts.
    ///
    /// - Returns: the token with which visitors watch the demo.
    static func takeEnvironment() -> DeviceToken? {
        let token = ProcessInfo.processInfo.environment[demo].flatMap { DeviceToken($0) }
        for name in [mark, demo] { unsetenv(name) }
        return token
    }

    /// Ends the parts that a killed `kith up` has left behind on this data.
    static func endOrphans(of data: String, _ logger: Logger) async {
        let directory = absolute(data)
        let orphans = Orphan.all { process in
            guard ProcessEntry.arguments(of: process).dropFirst().first == "up",
                let value = ProcessEntry.variable(mark, of: process)?.split(
                    separator: ":", maxSplits: 1), value.count == 2, value[1] == directory
            else { return false }
            return ProcessEntry.parent(of: process) != Int32(value[0])
        }
        for orphan in orphans { await orphan.end("a part", within: .seconds(10), logger) }
    }

    private static func absolute(_ data: String) -> String {
        URL(fileURLWithPath: data).resolvingSymlinksInPath().path
    }
}

/// A part as a service of `kith up`.
struct PartService: Service {
    let process: SupervisedProcess
    /// Started only once this is ready.
    var broker: LocalBroker?

    func run() async throws {
        try await broker?.waitUntilReady()
        do {
            try await cancelWhenGracefulShutdown { try await process.run() }
        } catch SupervisionError.endedAtOnce(_, let status) {
            // It has reported the reason.
            throw ExitCode(status)
        }
    }
}
