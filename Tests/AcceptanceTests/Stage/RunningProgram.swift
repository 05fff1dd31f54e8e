import Glibc
import Subprocess
import Synchronization

/// A child process, and the lines that it has written so far.
final class RunningProgram: Sendable {
    private final class Journal: Sendable {
        struct State {
            var process: pid_t?
            var lines: [String] = []
            var ending: String?
        }
        let state = Mutex(State())
    }

    private let journal = Journal()
    private let life: Task<Void, Never>

    init(_ name: String, _ arguments: [String], environment: [String: String] = [:]) {
        life = Task { [journal] in
            let ending: String
            do {
                let result = try await Subprocess.run(
                    Program.executable(name), arguments: Arguments(arguments),
                    environment: .inherit.updating(Program.keys(environment)), input: .none,
                    output: .sequence, error: .combinedWithOutput
                ) { execution in
                    let process = execution.processIdentifier.value
                    journal.state.withLock { $0.process = process }
                    for try await line in execution.standardOutput.strings() {
                        journal.state.withLock { $0.lines.append(line) }
                    }
                }
                ending = "\(result.terminationStatus)"
            } catch {
                ending = "\(error)"
            }
            journal.state.withLock {
                $0.process = nil
                $0.ending = ending
            }
        }
    }

    /// A test that forgets it, or fails, leaves nothing running.
    deinit { life.cancel() }

    var processIdentifier: pid_t? { journal.state.withLock { $0.process } }
    var lines: [String] { journal.state.withLock { $0.lines } }
    var ending: String? { journal.state.withLock { $0.ending } }

    /// The lines from this index on.
    func lines(from index: Int) -> ArraySlice<String> {
        journal.state.withLock { $0.lines.dropFirst(index) }
    }

    /// Kills it. Returns when it is gone.
    func kill() async { await end(SIGKILL) }

    /// Returns when it is gone.
    func end(_ signal: Int32) async {
        while journal.state.withLock({ $0.process == nil && $0.ending == nil }) {
            await Task.yield()
        }
        if let processIdentifier { Glibc.kill(processIdentifier, signal) }
        await life.value
    }
}
