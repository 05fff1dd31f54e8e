import Foundation
import Subprocess
import SystemPackage
import Testing
import Transfer

/// Runs `body` with one of the scripts in `Servers`, and its port.
func withServer<R: Sendable>(
    _ script: String, _ arguments: [String] = [], _ body: (Int) async throws -> R
) async throws -> R {
    let result = try await Subprocess.run(
        .path("/usr/bin/python3"), arguments: Arguments([servers + script] + arguments),
        input: .none, output: .sequence, error: .discarded
    ) { execution in
        var lines = execution.standardOutput.strings().makeAsyncIterator()
        let port = try #require(try await lines.next().flatMap { Int($0) })
        let result: Result<R, any Error>
        do { result = .success(try await body(port)) } catch { result = .failure(error) }
        try execution.send(signal: .kill)
        return try result.get()
    }
    return result.closureResult
}

let servers =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Servers/"

/// The error that `body` throws.
func failure(_ body: () async throws(TransferError) -> some Sendable) async -> TransferError? {
    do throws(TransferError) {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}

let loopback = AddressPolicy.publicAddresses(
    besides: IPAddress("127.0.0.0").map { [AddressBlock($0, length: 8)] } ?? [])

/// For tests that are not about time, on a busy machine.
let patient = TransferLimits(connecting: .seconds(25), total: .seconds(25))

/// For servers that never answer.
let impatient = TransferLimits(connecting: .milliseconds(300), total: .milliseconds(300))
