import ArgumentParser
import Bridge
import Contract
import Foundation
import MQTT

@main
struct Kith: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kith",
        abstract: "Location safety on your own MQTT broker.",
        version: "kith \(kithVersionText)",
        subcommands: [
            Up.self, Serve.self, WebCommand.self, CheckConfig.self, UserCommand.self,
            GroupCommand.self, ObserverCommand.self, PhonesCommand.self, PlaceCommand.self,
            MapCommand.self,
            MaintenanceCommand.self,
            EmergencyCommand.self, ExportCommand.self, BackupCommand.self, RestoreCommand.self,
            CompactCommand.self, MoveCommand.self, StatusCommand.self, DoctorCommand.self,
            TestCommand.self,
            KeyCommand.self,
            HomeAssistantCommand.self, AccessTableCommand.self,
        ])

    /// Exit status: 0, 1 with a sentence on standard error, or 2 for wrong usage.
    static func main() async {
        // Exceeding a limit on file sizes should be an error, like a full disk, rather than kill
        // us.
        signal(SIGXFSZ, SIG_IGN)
        leaveOutBacktraces()
        raiseFileLimit()
        forbidCoreDumps()
        // Files created here are accessible only to their owner.
        umask(0o077)
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let code as ExitCode {
            // Everything has been reported.
            Foundation.exit(code.rawValue)
        } catch {
            switch exitCode(for: error) {
            case .success:
                print(fullMessage(for: error))
                Foundation.exit(0)
            case .validationFailure:
                FileHandle.standardError.write(Data("\(fullMessage(for: error))\n".utf8))
                Foundation.exit(2)
            default:
                FileHandle.standardError.write(Data("kith: \(error)\n".utf8))
                Foundation.exit(1)
            }
        }
    }
}

extension Kith {
    /// Makes a trap end the process immediately, without the backtrace of Swift's runtime: that
    /// takes seconds, in which no one is served, and prints memory contents. `SWIFT_BACKTRACE`
    /// restores it.
    private static func leaveOutBacktraces() {
        guard getenv("SWIFT_BACKTRACE") == nil else { return }
        for number in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP] {
            signal(number, SIG_DFL)
        }
    }
}

/// The reason why a command fails, as a sentence.
struct Complaint: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
