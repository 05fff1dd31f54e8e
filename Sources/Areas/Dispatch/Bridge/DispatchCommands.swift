import Contract
import Foundation
import Subprocess
import SystemPackage

/// Calls dispatch by a program of the operator's, which gets the message as its input. What
/// it writes may be an answer.
struct DispatchCommands: Sendable {
    /// How long it may take.
    static let patience = Duration.seconds(30)
    /// How much of what it writes is read.
    private static let maximumOutput = 65_536

    func run(_ words: [String], _ input: [UInt8]) async -> DispatchOutcome.Result {
        guard let program = words.first else { return .failed(.unsendable) }
        return await withTaskGroup(of: DispatchOutcome.Result.self) { group in
            group.addTask { await result(of: program, Array(words.dropFirst()), input) }
            group.addTask {
                // It is broken off as soon as the program has ended.
                try? await Task.sleep(for: DispatchCommands.patience)
                return .failed(.timeout)
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? .failed(.timeout)
        }
    }

    private func result(of program: String, _ arguments: [String], _ input: [UInt8]) async
        -> DispatchOutcome.Result
    {
        var options = PlatformOptions()
        // With all that it has started.
        options.processGroupID = 0
        options.teardownSequence = [
            .send(
                signal: .terminate, toProcessGroup: true,
                allowedDurationToNextStep: .seconds(1))
        ]
        do {
            // `Subprocess` traps if the program ends before all of its input is written, so it is
            // written before the program begins.
            let input = try DispatchCommands.pipe(with: input)
            let result = try await Subprocess.run(
                .path(FilePath(program)), arguments: Arguments(arguments),
                environment: .custom(DispatchCommands.environment), platformOptions: options,
                input: .fileDescriptor(input, closeAfterSpawningProcess: true),
                output: .bytes(limit: DispatchCommands.maximumOutput),
                error: .discarded)
            guard result.terminationStatus.isSuccess else { return .failed(.refused) }
            return .init(said: result.standardOutput)
        } catch {
            return .failed(.unreachable)
        }
    }

    /// - Returns: the end to read from.
    /// - Throws: if there is more than fits into a pipe.
    private static func pipe(with input: [UInt8]) throws -> FileDescriptor {
        let (reading, writing) = try FileDescriptor.pipe()
        do {
            defer { try? writing.close() }
            guard fcntl(writing.rawValue, F_SETFL, O_NONBLOCK) == 0 else { throw Errno.wouldBlock }
            if input.count > usualCapacity {
                _ = fcntl(writing.rawValue, setPipeSize, CInt(clamping: input.count))
            }
            try writing.writeAll(input)
        } catch {
            try? reading.close()
            throw error
        }
        return reading
    }

    /// Of a pipe, in bytes.
    private static let usualCapacity = 65_536
    /// `F_SETPIPE_SZ` of Linux.
    private static let setPipeSize: CInt = 1_031

    /// None of the bridge's own, which has secrets in it.
    private static let environment: [Environment.Key: String] = [
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8",
    ]
}
