import Contract
import Foundation
import Subprocess
import SystemPackage

/// Calls dispatch by an operator's program, which gets the message as its input. Its output may be
/// an answer.
struct DispatchCommands: Sendable {
    /// The time limit.
    static let patience = Duration.seconds(30)
    /// The bytes of output that are read.
    private static let maximumOutput = 65_536

    func run(_ words: [String], _ input: [UInt8]) async -> DispatchOutcome.Result {
        guard let program = words.first else { return .failed(.unsendable) }
        return await withTaskGroup(of: DispatchOutcome.Result.self) { group in
            group.addTask { await result(of: program, Array(words.dropFirst()), input) }
            group.addTask {
                do {
                    try await Task.sleep(for: DispatchCommands.patience)
                } catch {
                    // Cancelled: the program has ended, and its result was taken.
                }
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
        // Its own process group, so that its children are terminated as well.
        options.processGroupID = 0
        options.teardownSequence = [
            .send(
                signal: .terminate, toProcessGroup: true,
                allowedDurationToNextStep: .seconds(1))
        ]
        do {
            // `Subprocess` traps if the program ends before all of its input is written, so the
            // input is written before the program starts.
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
    /// - Throws: if the input does not fit into a pipe.
    private static func pipe(with input: [UInt8]) throws -> FileDescriptor {
        let (reading, writing) = try FileDescriptor.pipe()
        do {
            try writing.closeAfter {
                guard fcntl(writing.rawValue, F_SETFL, O_NONBLOCK) == 0 else {
                    throw Errno.wouldBlock
                }
                if input.count > usualCapacity {
                    _ = fcntl(writing.rawValue, setPipeSize, CInt(clamping: input.count))
                }
                try writing.writeAll(input)
            }
        } catch {
            try reading.close()
            throw error
        }
        return reading
    }

    /// A pipe's capacity, in bytes.
    private static let usualCapacity = 65_536
    /// `F_SETPIPE_SZ` on Linux.
    private static let setPipeSize: CInt = 1_031

    /// The program's environment: not the bridge's own, which contains secrets.
    private static let environment: [Environment.Key: String] = [
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8",
    ]
}
