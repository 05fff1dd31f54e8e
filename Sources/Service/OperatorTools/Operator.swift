public import Bridge
internal import Clocks
public import Contract
public import JSON
internal import Store
internal import Tracking

/// Runs the operator's commands: in the running bridge or, if none runs, in this process.
///
/// Either way they go through the same turn as everything else.
public struct Operator: Sendable {
    private let databasePath: String
    private let settings: BridgeSettings
    private let mayBegin: Bool

    /// How long the running bridge may take.
    private static let patience = Duration.seconds(10)
    /// A disk in use by others may take seconds for a commit of the bridge.
    private static let lockPatience = Duration.seconds(30)

    /// - Parameter mayBegin: whether a database is created if there never was one. Otherwise its
    ///   absence means that the command was run in the wrong directory.
    public init(databasePath: String, _ settings: BridgeSettings, mayBegin: Bool = false) {
        self.databasePath = databasePath
        self.settings = settings
        self.mayBegin = mayBegin
    }

    private var address: DatabaseAddress {
        DatabaseAddress(databasePath, server: settings.databaseServer)
    }

    /// - Returns: the reply's result.
    /// - Throws: ``OperatorRefusal`` if the command is refused, ``BridgeError`` if it could not be
    ///   run.
    public func perform(_ command: OperatorCommand) async throws -> JSONValue {
        let reply: String
        try address.check(mayBegin: mayBegin)
        try bringUpToDate()
        do throws(StoreError) {
            let store = try Store.open(
                address, at: ClockReading.now.wall, patience: Operator.lockPatience)
            do throws(BridgeError) {
                _ = try DatabaseFiles(databasePath).closeToOthers()
            } catch {
                throw StoreError(.open, reason: error.description)
            }
            let id = try store.transaction { transaction in
                try transaction.insertOperatorRequest(command.json, at: ClockReading.now.wall)
            }
            reply = try await answer(to: id, store)
        } catch {
            throw BridgeError(error.description)
        }
        let value = try JSONValue.parse(Array(reply.utf8), isOurs: true)
        if let problem = value["problem"] { throw OperatorRefusal(problem) }
        return value["result"] ?? .null
    }

    /// Returns the command that sets a user's password. It takes a tenth of a second or more.
    ///
    /// - Throws: ``BridgeError`` if the password is not allowed.
    public func settingPassword(_ password: String, of user: Name) throws -> OperatorCommand {
        guard let password = Password(password), password.isLongEnough else {
            throw BridgeError(
                "A password has at least \(Password.minimumLength) characters and at most "
                    + "\(Password.maximumLength) bytes.")
        }
        guard !password.isName(user) else {
            throw BridgeError("The password must not be the user name.")
        }
        var random = SystemRandomNumberGenerator()
        let hash = try PasswordHash(password, settings.accounts, using: &random)
        return .setPassword(user: user, hash)
    }

    /// Upgrades a database of an earlier version, if no bridge of that version runs on it.
    private func bringUpToDate() throws(BridgeError) {
        let copy = EarlierCopy(of: address)
        guard let schema = try copy.schemaBefore() else { return }
        guard let lock = try BridgeLock(besides: databasePath) else {
            throw BridgeError(
                "The running bridge is an earlier version of Kith (schema \(schema)): restart it "
                    + "first.")
        }
        defer { withExtendedLifetime(lock) {} }
        try copy.make()
        do throws(StoreError) {
            _ = try Store.open(
                address, at: ClockReading.now.wall, patience: Operator.lockPatience)
        } catch {
            throw BridgeError(error.description)
        }
    }

    private func answer(to id: Int64, _ store: Store) async throws(StoreError) -> String {
        let deadline = ContinuousClock.now + Operator.patience
        while ContinuousClock.now < deadline {
            try answerOurselves()
            let reply = try store.transaction { try $0.takeOperatorReply(id) }
            if let reply { return reply }
            do { try await Task.sleep(for: .milliseconds(50)) } catch { break }
        }
        throw StoreError(.query, reason: "the bridge is running, but does not answer")
    }

    /// Runs waiting commands in this process, unless a bridge runs.
    private func answerOurselves() throws(StoreError) {
        let lock: BridgeLock?
        do {
            lock = try BridgeLock(besides: databasePath)
        } catch {
            throw StoreError(.open, reason: error.description)
        }
        guard let lock else { return }
        defer { withExtendedLifetime(lock) {} }
        let own: Store
        do throws(StoreError) {
            own = try Store.open(address, at: ClockReading.now.wall, decides: true)
        } catch {
            // A bridge on another machine answers.
            if error.cause == .superseded { return }
            throw error
        }
        try Engine(own, settings).answerOperator(at: ClockReading.now.wall)
    }
}

/// Why the operator's command was refused, as a sentence.
public struct OperatorRefusal: Error, CustomStringConvertible, Sendable {
    public let description: String

    init(_ problem: JSONValue) {
        if case .string(let detail) = problem["detail"] {
            description = detail
        } else {
            description = "The command was refused."
        }
    }
}
