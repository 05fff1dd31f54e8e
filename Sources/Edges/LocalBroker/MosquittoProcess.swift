internal import FoundationEssentials
internal import Glibc
package import Logging
internal import Subprocess
internal import Supervision

/// One run of Mosquitto, from its start to its end, whatever causes that.
package struct MosquittoProcess: Sendable {
    package struct Ending: Sendable {
        /// Whether it accepted connections before it ended.
        package var wasReady: Bool
        /// For a log line: how it ended and what it logged last.
        package var reason: String
        /// Whether it ended because it could not load its saved state.
        var couldNotRestore = false
    }

    var settings: BrokerSettings
    var logger: Logger

    package init(_ settings: BrokerSettings, logger: Logger) {
        self.settings = settings
        self.logger = logger
    }

    /// Runs it until it ends. If cancelled, asks it to end, and kills it after its settings'
    /// patience.
    ///
    /// - Parameter whenReady: called with its process identifier once it accepts connections.
    package func run(
        whenReady: @escaping @Sendable (Int32) -> Void
    ) async throws(BrokerError) -> Ending {
        let executable = try settings.findExecutable()
        let configuration = try settings.writeConfiguration()
        let watchdog = ParentWatchdog.arguments([executable, "-c", configuration])
        let port = LoopbackPort(number: settings.port)
        let directory = String(configuration.dropLast("/mosquitto.conf".count))
        guard let ownership = try await Ownership.take(directory) else {
            try port.checkUsable()
            throw .file(path: directory, reason: "another Kith is using it")
        }
        defer { withExtendedLifetime(ownership) {} }
        let orphans = Orphan.all { process in
            let words = ProcessEntry.arguments(of: process)
            return words.count == 3 && words[0].hasSuffix("mosquitto") && words[1] == "-c"
                && words[2] == configuration
        }
        for orphan in orphans {
            await orphan.end("a mosquitto", within: settings.patience, logger)
        }
        if orphans.isEmpty {
            try port.checkUsable()
        } else {
            try await port.waitUntilUsable(within: .seconds(1))
        }

        var options = PlatformOptions()
        options.processGroupID = 0  // Ctrl-C is for us; we end Mosquitto when its turn has come.
        options.teardownSequence = [
            .send(signal: .terminate, allowedDurationToNextStep: settings.patience)
        ]
        // When the gate's runtime ends the broker, it would first print a backtrace: that takes
        // seconds, in which no client is served, and prints memory contents.
        let backtrace = ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"] ?? "enable=no"
        do {
            let result = try await Subprocess.run(
                .name("sh"), arguments: Arguments(watchdog),
                environment: .inherit.updating(["SWIFT_BACKTRACE": backtrace]),
                platformOptions: options,
                input: .inputWriter, output: .discarded, error: .sequence
            ) { execution in
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    let process = execution.processIdentifier.value
                    group.addTask { try await announceReadiness(of: process, whenReady) }
                    let complaints = try await log(execution.standardError)
                    group.cancelAll()
                    return (wasReady: try await group.next() ?? false, complaints)
                }
            }
            let (wasReady, complaints) = result.closureResult
            if !wasReady, !Task.isCancelled { try port.checkUsable() }  // Another was faster.
            return Ending(
                wasReady: wasReady,
                reason: (complaints + ["(\(result.terminationStatus.words))"])
                    .joined(separator: " "),
                couldNotRestore: !wasReady
                    && SavedState.isBlamed(by: complaints, result.terminationStatus))
        } catch let error as BrokerError {
            throw error
        } catch let error as SubprocessError {
            throw .spawn(reason: error.description)
        } catch {
            throw .spawn(reason: "\(error)")
        }
    }

    /// Returns when cancelled, or when it was killed for its silence.
    private func watch(_ process: Int32, _ port: LoopbackPort) async {
        var isRefusing = false
        while !Task.isCancelled {
            await pause(settings.pulse)
            let answer = await port.answer(within: settings.mostSilence)
            if answer == .refused, !isRefusing, !Task.isCancelled {
                logger.error(
                    """
                    mosquitto accepts no new connections: it may have reached its limit of open \
                    files (LimitNOFILE, process_open_fds)
                    """)
            }
            isRefusing = answer == .refused
            if answer != .missing { continue }
            guard !Task.isCancelled else { return }
            logger.error("mosquitto does not respond and is restarted")
            kill(process, SIGKILL)
            return
        }
    }

    /// - Returns: false if it ended before it was ready.
    private func announceReadiness(
        of process: Int32, _ whenReady: @Sendable (Int32) -> Void
    ) async throws(BrokerError) -> Bool {
        let deadline = ContinuousClock.now + settings.mostPreparation
        let port = LoopbackPort(number: settings.port)
        while !Task.isCancelled {
            if port.isListened(to: process) {
                whenReady(process)
                await watch(process, port)
                return true
            }
            guard ContinuousClock.now < deadline else {
                kill(process, SIGKILL)
                throw .notReady(port: settings.port, after: settings.mostPreparation)
            }
            await pause(.milliseconds(10))
        }
        return false
    }

    /// - Returns: its last errors, two at most.
    private func log(_ output: SubprocessOutputSequence) async throws -> [String] {
        var complaints: [String] = []
        var brokerLog = BrokerLog()
        for try await line in output.strings() {
            // Until it has read its configuration, Mosquitto prefixes its lines with the time.
            let text = line.drop { $0.isNumber || $0 == ":" }.drop { $0 == " " }
            if text.hasPrefix("Error") { complaints = complaints.suffix(1) + [String(text)] }
            for entry in brokerLog.take(text, at: .now) {
                logger.log(level: entry.level, "mosquitto: \(entry.text)")
            }
        }
        return complaints
    }
}
