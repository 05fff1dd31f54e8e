import Subprocess
import SystemPackage

/// A self-signed certificate for 127.0.0.1, and its key, in files.
public func makeCertificate(in directory: String)
    async throws -> (certificate: String, key: String)
{
    let (certificate, key) = (directory + "/certificate.pem", directory + "/key.pem")
    _ = try await output(
        of: "openssl",
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
            .split(separator: " ").map(String.init)
            + ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
            + ["-keyout", key, "-out", certificate])
    return (certificate, key)
}

/// Runs a program to its end.
func output(of program: String, _ arguments: [String]) async throws -> String {
    let result = try await Subprocess.run(
        program.hasPrefix("/") ? .path(FilePath(program)) : .name(program),
        arguments: Arguments(arguments), input: .none, output: .string(limit: 1 << 20),
        error: .string(limit: 1 << 20))
    guard result.terminationStatus.isSuccess else {
        throw ServerFailure(description: "\(program): \(result.standardError)")
    }
    return result.standardOutput
}

struct ServerFailure: Error, CustomStringConvertible {
    let description: String
}
