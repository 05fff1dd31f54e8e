import Foundation
import Subprocess
import SystemPackage
import TestFiles
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

/// Runs a program to its end.
///
/// - Returns: its output.
func run(_ program: String, _ arguments: [String]) async throws -> String {
    let result = try await Subprocess.run(
        program.hasPrefix("/") ? .path(FilePath(program)) : .name(program),
        arguments: Arguments(arguments), input: .none, output: .string(limit: 1 << 20),
        error: .string(limit: 1 << 20))
    try #require(result.terminationStatus.isSuccess, "\(program): \(result.standardError)")
    return result.standardOutput
}

let servers =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Servers/"

/// A certificate for 127.0.0.1 that vouches for itself, and its key, in files.
func makeCertificate(in directory: String) async throws -> (certificate: String, key: String) {
    let (certificate, key) = (directory + "/certificate.pem", directory + "/key.pem")
    _ = try await run(
        "openssl",
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
            .split(separator: " ").map(String.init)
            + ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
            + ["-keyout", key, "-out", certificate])
    return (certificate, key)
}

/// What `body` throws.
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

/// For what is not about time, on a machine that others keep busy.
let patient = TransferLimits(connecting: .seconds(25), total: .seconds(25))

/// For what never answers.
let impatient = TransferLimits(connecting: .milliseconds(300), total: .milliseconds(300))
