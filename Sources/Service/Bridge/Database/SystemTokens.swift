import Contract
import Glibc
import Store

/// The tokens of the bridge, the operator, the dispatch centre and the monitoring account: files
/// that only their owner may read, and hashes in the database for the gate.
package struct SystemTokens {
    private let directory: String

    /// - Parameter path: the database's path; the directory `tokens` is beside it.
    init(besides path: String) {
        let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        directory = parent + "/tokens"
    }

    /// The file of the bridge's own token: it exists if a bridge has ever run.
    var ownFile: String { path(.bridge) }

    /// The hash of the bridge's own token; nil if it cannot be read.
    package static func ownHash(besides path: String) -> [UInt8]? {
        do throws(BridgeError) {
            return try SystemTokens(besides: path).read(.bridge)?.hash
        } catch {
            return nil
        }
    }

    /// Creates missing files, and stores the hashes of all tokens for the gate.
    ///
    /// - Returns: the bridge's own token.
    func prepare(_ store: Store) throws -> PrincipalToken {
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw failure() }
        var own: PrincipalToken?
        for principal in Principal.System.allCases {
            let token = try read(principal) ?? make(principal)
            try store.transaction { transaction in
                let known = try transaction.tokenHash(ofSystem: principal.rawValue)
                guard known != token.hash else { return }
                try transaction.setTokenHash(token.hash, ofSystem: principal.rawValue)
            }
            if principal == .bridge { own = token }
        }
        guard let own else { preconditionFailure("the bridge is one of them") }
        return own
    }

    private func path(_ principal: Principal.System) -> String {
        "\(directory)/\(principal.rawValue.dropFirst(Principal.System.beginning.count))"
    }

    /// - Returns: nil if there is no file.
    private func read(_ principal: Principal.System) throws(BridgeError) -> PrincipalToken? {
        let descriptor = open(path(principal), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure()
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: SystemTokens.maximumLength)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        guard let token = PrincipalToken(text.prefix { !$0.isNewline }),
            token.principal == .system(principal)
        else { throw BridgeError("The file \(path(principal)) contains no token: remove it.") }
        return token
    }

    private static let maximumLength = 256

    private func make(_ principal: Principal.System) throws(BridgeError) -> PrincipalToken {
        var random = SystemRandomNumberGenerator()
        let token = PrincipalToken(.system(principal), using: &random)
        // Written under another name first, so that the file is either complete or absent.
        let temporary = path(principal) + ".new"
        guard unlink(temporary) == 0 || errno == ENOENT else { throw failure() }
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure() }
        let bytes = Array("\(token.text)\n".utf8)
        let isWritten = write(descriptor, bytes, bytes.count) == bytes.count
        let isSaved = fsync(descriptor) == 0
        close(descriptor)
        guard isWritten, isSaved, rename(temporary, path(principal)) == 0 else {
            throw failure()
        }
        return token
    }

    private func failure() -> BridgeError {
        BridgeError.system("The tokens in \(directory) cannot be read or created")
    }
}
