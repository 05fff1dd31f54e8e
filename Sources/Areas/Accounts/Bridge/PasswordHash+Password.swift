package import Contract
import CryptoExtras

extension PasswordHash.Cost {
    /// Takes the cost of new hashes from the settings.
    init(_ settings: BridgeSettings.Accounts) {
        self.init(
            ln: settings.passwordCost, r: settings.passwordBlockSize,
            p: settings.passwordParallelism)
    }
}

extension PasswordHash {
    static let saltLength = 16
    static let hashLength = 32

    /// Hashes the password, which takes a tenth of a second or more.
    package init(
        _ password: Password, _ settings: BridgeSettings.Accounts,
        using random: inout some RandomNumberGenerator
    ) throws {
        try self.init(password, salt: PasswordHash.salt(using: &random), Cost(settings))
    }

    /// - Throws: if this machine cannot compute a hash with these parameters.
    init(_ password: Password, salt: [UInt8], _ cost: Cost) throws {
        let hash = try PasswordHash.derive(password, salt, cost, length: PasswordHash.hashLength)
        self.init(cost, salt: salt, hash: hash)
    }

    /// A hash that no password matches.
    init(ofNobody cost: Cost) {
        self.init(
            cost, salt: [UInt8](repeating: 0, count: PasswordHash.saltLength),
            hash: [UInt8](repeating: 0, count: PasswordHash.hashLength))
    }

    static func salt(using random: inout some RandomNumberGenerator) -> [UInt8] {
        (0..<saltLength).map { _ in UInt8(truncatingIfNeeded: random.next() >> 56) }
    }

    /// - Throws: if the password cannot be checked.
    package func matches(_ password: Password) throws -> Bool {
        areEqual(try PasswordHash.derive(password, salt, cost, length: hash.count), hash)
    }

    private static func derive(_ password: Password, _ salt: [UInt8], _ cost: Cost, length: Int)
        throws -> [UInt8]
    {
        let key = try KDF.Scrypt.deriveKey(
            from: password.bytes, salt: salt, outputByteCount: length, rounds: 1 << cost.ln,
            blockSize: cost.r, parallelism: cost.p)
        return key.withUnsafeBytes { Array($0) }
    }
}
