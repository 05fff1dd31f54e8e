import Foundation
import Logging
import Supervision
import Synchronization
import Testing

/// Shell scripts in place of the bridge and the page.
@Suite(.timeLimit(.minutes(1)))
struct SupervisedProcessTests {
    /// A child's reports.
    private final class Reports: Sendable {
        private let all = Mutex<[String]>([])
        var lines: [String] { all.withLock { $0 } }
        func add(_ line: String) { all.withLock { $0.append(line) } }
    }

    private func process(
        _ script: String, _ reports: Reports, mostSilence: Duration = .seconds(60),
        mostPreparation: Duration = .seconds(60), patience: Duration = .seconds(20)
    ) -> SupervisedProcess {
        SupervisedProcess(
            "the child", mostSilence: mostSilence, mostPreparation: mostPreparation,
            patience: patience,
            logger: Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() },
            hear: { reports.add($0) }
        ) {
            SupervisedProcess.Command(
                executable: "/bin/sh", arguments: ["-c", script], environment: ["NUMBER": "7"])
        }
    }

    private func eventually(_ condition: () -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(25)
        while !condition() {
            try #require(ContinuousClock.now < deadline)
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    private func isThere(_ process: Int32) -> Bool {
        FileManager.default.fileExists(atPath: "/proc/\(process)")
    }

    @Test func `A child that reports readiness and then ends is restarted`() async throws {
        let reports = Reports()
        let process = process("echo READY=1; echo STATUS=Serving.; echo X=$NUMBER", reports)
        let run = Task { try await process.run() }
        try await eventually { reports.lines.count { $0 == "X=7" } >= 3 }
        #expect(process.wasEverReady)
        run.cancel()
        try await run.value
        #expect(process.processIdentifier == nil && !process.isServing)
    }

    @Test func `A child that exits before it was ever ready is given up`() async throws {
        let process = process("exit 3", Reports())
        await #expect { try await process.run() } throws: { error in
            guard case SupervisionError.endedAtOnce(_, status: 3)? = error as? SupervisionError
            else { return false }
            return true
        }
    }

    /// For example one whose first message is the one that ended its predecessor.
    @Test func `A child that a signal ends is restarted, ready or not`() async throws {
        let reports = Reports()
        let process = process("echo started; kill -ILL $$", reports)
        let run = Task { try await process.run() }
        try await eventually { reports.lines.count >= 3 }
        #expect(!process.wasEverReady)
        run.cancel()
        try await run.value
    }

    @Test func `A ready child without signs of life is killed and restarted`() async throws {
        let reports = Reports()
        let process = process(
            "echo READY=1; kill -STOP $$", reports, mostSilence: .seconds(1))
        let run = Task { try await process.run() }
        try await eventually { reports.lines.count { $0 == "READY=1" } >= 2 }
        run.cancel()
        // A stopped child does not end when asked to.
        process.send(SIGKILL)
        try await run.value
    }

    @Test func `A child that is not ready yet may be silent`() async throws {
        let reports = Reports()
        let process = process(
            "echo begun; sleep 3; echo READY=1; exec sleep 60", reports, mostSilence: .seconds(1))
        let run = Task { try await process.run() }
        try await eventually { reports.lines.contains("READY=1") }
        // It is killed once it has been silent after that.
        #expect(reports.lines.prefix(2) == ["begun", "READY=1"])
        run.cancel()
        try await run.value
    }

    @Test func `A child that ends before it was ready, but not in failure, is restarted`()
        async throws
    {
        let reports = Reports()
        let process = process("echo begun", reports)
        let run = Task { try await process.run() }
        try await eventually { reports.lines.count >= 2 }
        run.cancel()
        try await run.value
    }

    @Test func `A child that hangs between its first sign and its readiness is killed`()
        async throws
    {
        let reports = Reports()
        let process = process(
            "echo WATCHDOG=1; kill -STOP $$", reports, mostSilence: .seconds(1))
        let run = Task { try await process.run() }
        try await eventually { reports.lines.count >= 2 }
        run.cancel()
        process.send(SIGKILL)
        try await run.value
    }

    @Test func `A child whose reports cannot be read is restarted once it was ready`() async throws
    {
        let reports = Reports()
        let process = process(
            "echo READY=1; head -c 300000 /dev/zero | tr '\\0' x; exec sleep 60", reports,
            patience: .milliseconds(200))
        let run = Task { try await process.run() }
        try await eventually { reports.lines.count { $0 == "READY=1" } >= 2 }
        run.cancel()
        try await run.value
    }

    @Test func `A child that never becomes ready is killed and restarted`() async throws {
        let reports = Reports()
        let process = process(
            "echo begun; kill -STOP $$", reports, mostPreparation: .seconds(1))
        let run = Task { try await process.run() }
        try await eventually { reports.lines.count >= 2 }
        run.cancel()
        process.send(SIGKILL)
        try await run.value
    }

    @Test func `A child that reports is serving until it reports something else`() async throws {
        let reports = Reports()
        let process = process(
            """
            trap 'echo "STATUS=Waiting for the broker."; echo turned' HUP
            echo READY=1; echo STATUS=Serving.
            while :; do sleep 0.05; done
            """, reports)
        let run = Task { try await process.run() }
        try await eventually { process.isServing }
        try await eventually {
            process.send(SIGHUP)
            return reports.lines.contains("turned")
        }
        #expect(!process.isServing)
        let child = try #require(process.processIdentifier)
        run.cancel()
        try await run.value
        #expect(!isThere(child))
    }

    @Test func `A child that ignores its stop request is killed`() async throws {
        let reports = Reports()
        let process = process(
            "trap '' TERM; echo READY=1; while :; do sleep 0.05; done", reports,
            patience: .milliseconds(200))
        let run = Task { try await process.run() }
        try await eventually { process.wasEverReady }
        let child = try #require(process.processIdentifier)
        run.cancel()
        try await run.value
        #expect(!isThere(child))
    }
}
