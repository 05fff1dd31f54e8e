import Bridge
import MQTT
import Store

/// A deliberate bug, to check that the simulation finds it.
package struct Canary: Sendable, CustomStringConvertible {
    package let name: String
    /// The oracles, one of which must find it.
    package let oracles: [String]
    /// Whether it takes an adversary to find it.
    package var isHostile = false
    /// Decides how a statement is changed.
    var tampering: (@Sendable (Attempted) -> Tampering?)?
    /// Changes the settings of the bridge and of its shadow.
    var setting: (@Sendable (inout BridgeSettings) -> Void)?
    /// Changes the messages that the bridge sends together.
    var sending: (@Sendable (inout [Message]) -> Void)?

    /// A statement that is about to be executed.
    struct Attempted {
        let sql: String
        let values: [SQLValue]
        /// The statement before this one that returned nothing.
        let previous: String
        let chance: Chance
    }

    /// The change of a statement.
    enum Tampering {
        /// It succeeds and does nothing.
        case skipped
        /// It is executed with these values first.
        case twice([SQLValue])
        /// Another one is executed after it.
        case followed(by: String, [SQLValue])
        /// Only rows with such a text in a column are returned.
        case filtered(column: Int, @Sendable (String) -> Bool)
    }

    init(
        _ name: String, foundBy oracles: String...,
        tampering: (@Sendable (Attempted) -> Tampering?)? = nil
    ) {
        (self.name, self.oracles, self.tampering) = (name, oracles, tampering)
    }

    package var description: String { name }
}

extension Canary {
    /// All canaries: those in code shared by all areas, and the areas' own.
    package static var all: [Canary] {
        [
            acknowledgeBeforeCommit, deliverWithoutAsking, loseFix, storeTwice, trustRetained,
            trustConfirmation, choke,
        ] + simulatedAreas.flatMap { $0.canaries }
    }

    /// The bridge acknowledges messages as soon as it reads them.
    static let acknowledgeBeforeCommit = Canary(
        "acknowledgeBeforeCommit", foundBy: "acknowledged is stored")
    /// The broker delivers to all subscribers without asking the gate.
    static let deliverWithoutAsking = Canary(
        "deliverWithoutAsking", foundBy: "access", "locations")
    /// The bridge does not check retained messages when it connects.
    static let trustRetained = Canary("trustRetained", foundBy: "retained", "views", "locations")

    /// The bridge forgets a message as soon as the broker has confirmed it, saved or not.
    static let trustConfirmation: Canary = {
        var canary = Canary("trustConfirmation", foundBy: "alerts", "chat")
        // Messages are kept for two of these intervals and a second: for no time at all.
        canary.setting = { $0.broker.autosaveInterval = .milliseconds(-500) }
        return canary
    }()

    /// After a large message the bridge reads nothing more.
    static let choke: Canary = {
        var canary = Canary("choke", foundBy: "passage")
        canary.isHostile = true
        return canary
    }()

    /// A fix is not written.
    static let loseFix = Canary("loseFix", foundBy: "acknowledged is stored") { attempted in
        isFix(attempted) && attempted.chance.happens(10) ? .skipped : nil
    }

    /// A fix is written twice.
    static let storeTwice = Canary("storeTwice", foundBy: "stored once") { attempted in
        guard isFix(attempted), case .integer(let id) = attempted.values[0],
            attempted.chance.happens(10)
        else { return nil }
        var twin = attempted.values
        twin[0] = .integer(id + 1_000_000)
        return .twice(twin)
    }

    private static func isFix(_ attempted: Attempted) -> Bool {
        attempted.sql.hasPrefix("INSERT INTO fixes ")
    }
}

extension Canary.Attempted {
    /// Whether the statement puts a message on such a topic into the outbox.
    func isOutgoing(on suffix: String) -> Bool {
        guard sql.hasPrefix("INSERT INTO outbox"), case .text(let topic) = values[0] else {
            return false
        }
        return topic.hasSuffix(suffix)
    }

    /// The statement's values for another message, which differs in the last digit of its id.
    var outgoingTwin: Canary.Tampering? {
        guard case .blob(var payload) = values[1], payload.count > 42 else { return nil }
        payload[42] = payload[42] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
        var twin = values
        twin[1] = .blob(payload)
        return .twice(twin)
    }

    /// Deletes the message again.
    var forgottenOutgoing: Canary.Tampering {
        .followed(by: "DELETE FROM outbox WHERE topic = ?", [values[0]])
    }
}
