internal import Glibc
internal import Limits
package import Logging
internal import Subprocess
internal import Synchronization

/// A part of Kith as a child process, which is restarted whenever it ends.
///
/// The child reports on its standard output, in lines of sd_notify(3): `READY=1`,
/// `STATUS=Serving.`, `WATCHDOG=1`. Its standard error is this process's own. It never outlives
/// this process (``ParentWatchdog``).
package final class SupervisedProcess: Sendable {
    package struct Command: Sendable {
        package var executable: String
        package var arguments: [String]
        /// In addition to this process's environment.
        package var environment: [String: String]

        package init(
            executable: String, arguments: [String], environment: [String: String] = [:]
        ) {
            self.executable = executable
            self.arguments = arguments
            self.environment = environment
        }
    }

    private struct State {
        var process: Int32?
        /// Whether it has given a sign of life since its last start.
        var hasBegun = false
        var wasEverReady = false
        /// Whether it was killed for its silence.
        var isKilled = false
        var isServing = false
        /// Seconds without a sign of life.
        var silence = 0
    }

    /// The name as the subject of a sentence: `the page`.
    package let name: String
    private let mostSilence: Duration
    private let mostPreparation: Duration
    private let patience: Duration
    private let logger: Logger
    /// Whether the other parts are useless without it.
    package let isNeeded: Bool
    private let command: @Sendable () -> Command
    private let hear: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// How long a child may give no sign of life before it is killed, from its first one on. It
    /// gives one every second.
    package static let mostSilence = Duration.seconds(60)
    /// How long it may take until its first one: a new version may first have to change a large
    /// database.
    package static let mostPreparation = Duration.seconds(3_600)
    /// How long a child may take to end when asked to.
    package static let patience = Duration.seconds(30)

    /// How long a part that is not needed, and could not begin, waits for its next try, at first
    /// and in the end.
    private static let nextTry = (first: Duration.seconds(10), last: Duration.seconds(60))

    /// - Parameters:
    ///   - isNeeded: whether ``run()`` throws if it fails before it has ever been ready; if not, it
    ///     is retried for ever.
    ///   - hear: called with each line that the child reports.
    ///   - command: called for each start.
    package init(
        _ name: String, isNeeded: Bool = true, mostSilence: Duration = mostSilence,
        mostPreparation: Duration = mostPreparation, patience: Duration = patience, logger: Logger,
        hear: @escaping @Sendable (String) -> Void = { _ in },
        command: @escaping @Sendable () -> Command
    ) {
        self.name = name
        self.isNeeded = isNeeded
        self.mostSilence = mostSilence
        self.mostPreparation = mostPreparation
        self.patience = patience
        self.logger = logger
        self.hear = hear
        self.command = command
    }

    /// Nil while there is no child.
    package var processIdentifier: Int32? { state.withLock { $0.process } }
    package var isServing: Bool { state.withLock { $0.isServing } }
    package var wasEverReady: Bool { state.withLock { $0.wasEverReady } }

    /// Sends a signal to the child, if there is one.
    package func send(_ signal: Int32) {
        state.withLock { state in
            if let process = state.process { kill(process, signal) }
        }
    }

    /// Runs until cancelled; returns when the child has ended.
    ///
    /// - Throws: ``SupervisionError`` if the child is needed and fails by itself before it has ever
    ///   been ready: the reason is then on standard error. A child that a signal ends is always
    ///   restarted.
    package func run() async throws(SupervisionError) {
        let tries = Mutex(
            Backoff(from: SupervisedProcess.nextTry.first, to: SupervisedProcess.nextTry.last))
        try await runAgain { () throws(SupervisionError) in
            let status: TerminationStatus
            do throws(SupervisionError) {
                status = try await live()
            } catch {
                // Such as for lack of memory, which must not end the others.
                guard wasEverReady || !isNeeded else { throw error }
                return logger.error("\(error)")
            }
            guard !Task.isCancelled else { return }
            if case .exited(let code) = status, code != 0, !wasEverReady {
                let error = SupervisionError.endedAtOnce(name: name, status: code)
                guard !isNeeded else { throw error }
                logger.error("\(error) and is tried again; everything else continues without it")
                return await pause(tries.withLock { $0.next() })
            }
            let cause = state.withLock { $0.isKilled } ? "was killed" : "ended by itself"
            logger.error("\(name) \(cause) and is restarted (\(status.words))")
        }
    }

    private func live() async throws(SupervisionError) -> TerminationStatus {
        let command = command()
        let microseconds = mostSilence.components.seconds * 1_000_000
        var options = PlatformOptions()
        options.processGroupID = 0  // Ctrl-C is for us; we end the child when its turn has come.
        options.teardownSequence = [
            .send(signal: .terminate, allowedDurationToNextStep: patience)
        ]
        var variables: [Environment.Key: String?] = ["WATCHDOG_USEC": "\(microseconds)"]
        for (name, value) in command.environment {
            variables[Environment.Key(stringLiteral: name)] = value
        }
        defer {
            state.withLock { state in
                (state.process, state.hasBegun, state.isServing) = (nil, false, false)
            }
        }
        do {
            return try await Subprocess.run(
                .name("sh"),
                arguments: Arguments(
                    ParentWatchdog.arguments([command.executable] + command.arguments)),
                environment: .inherit.updating(variables), platformOptions: options,
                input: .inputWriter, output: .sequence, error: .currentStandardError
            ) { execution in
                let process = execution.processIdentifier.value
                state.withLock { ($0.process, $0.silence, $0.isKilled) = (process, 0, false) }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { await self.watch() }
                    for try await line in execution.standardOutput.strings() { take(line) }
                    group.cancelAll()
                }
            }.terminationStatus
        } catch let error as SubprocessError {
            throw .spawn(name: name, reason: error.description)
        } catch {
            throw .spawn(name: name, reason: "\(error)")
        }
    }

    private func take(_ line: String) {
        state.withLock { state in
            state.silence = 0
            switch line {
            case "READY=1": (state.hasBegun, state.wasEverReady) = (true, true)
            case "WATCHDOG=1": state.hasBegun = true
            case "STATUS=Serving.": state.isServing = true
            default: if line.hasPrefix("STATUS=") { state.isServing = false }
            }
        }
        hear(line)
    }

    /// Kills a child that has given no sign of life for too long. Counts instead of reading a
    /// clock: a machine that slept, or delayed this process, also delayed the child.
    private func watch() async {
        let (most, mostBefore) = (mostSilence / .seconds(1), mostPreparation / .seconds(1))
        while !Task.isCancelled {
            await pause(.seconds(1))
            let isSilent = state.withLock { state in
                state.silence += 1
                state.isKilled = Double(state.silence) > (state.hasBegun ? most : mostBefore)
                return state.isKilled
            }
            guard isSilent else { continue }
            logger.error("\(name) does not respond and is killed")
            return send(SIGKILL)
        }
    }
}

/// A child process that cannot be kept running.
package enum SupervisionError: Error, CustomStringConvertible {
    case endedAtOnce(name: String, status: Int32)
    case spawn(name: String, reason: String)

    package var description: String {
        switch self {
        case .endedAtOnce(let name, let status): "\(name) ended immediately (exit status \(status))"
        case .spawn(let name, let reason): "\(name) cannot be started: \(reason)"
        }
    }
}

extension TerminationStatus {
    /// `exit status 1`, `signal 9`.
    package var words: String {
        switch self {
        case .exited(let code): "exit status \(code)"
        case .signaled(let number): "signal \(number)"
        }
    }
}
