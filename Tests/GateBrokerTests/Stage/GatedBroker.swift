import Contract
import Foundation
import Glibc
import MQTT
import TestBroker
import TestSupport

/// A Mosquitto with the gate.
struct GatedBroker {
    let broker: TestBroker
    let town: Town
    private let log: String

    fileprivate init(_ broker: TestBroker, _ town: Town, log: String) {
        (self.broker, self.town, self.log) = (broker, town, log)
    }

    /// The lines of its log.
    var lines: [String] {
        get throws {
            try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
        }
    }

    // MARK: Clients

    /// A client that is not connected yet: `alice.phone`, `kith:bridge`; a name without a dot or a
    /// colon is a guest.
    ///
    /// - Parameter id: its client id, if it differs.
    func client(
        _ who: String, id: String? = nil, configure: (inout ConnectionOptions) -> Void = { _ in }
    ) throws -> Peer {
        let isGuest = !who.contains(".") && !who.contains(":")
        // `kith:bridge.1` is the bridge's own id; any client with the bridge's token can use
        // `kith:bridge`.
        let ownID = who.contains(":") ? who + ".1" : who
        return try Peer(id ?? ownID, at: broker, hearsItself: true) { options in
            if !isGuest {
                options.username = who.split(separator: ".").first.map(String.init)
                options.password = town.tokens[who]
            }
            configure(&options)
        }
    }

    /// The same, connected.
    func enter(
        _ who: String, id: String? = nil, configure: (inout ConnectionOptions) -> Void = { _ in }
    ) throws -> Peer {
        let peer = try client(who, id: id, configure: configure)
        try peer.connect()
        guard peer.connection.isConnected else { throw NotLetIn(who: who) }
        return peer
    }

    struct NotLetIn: Error { let who: String }

    /// A connected socket on which nothing has been sent.
    func rawSocket() throws -> RawSocket { try RawSocket(port: broker.port) }
}

/// Runs `body` with a broker that has the gate, and an empty database. It admits clients without a
/// bridge, unless `change` says otherwise.
///
/// - Parameter change: applied to the text of its configuration.
func withGate<R>(
    isolation: isolated (any Actor)? = #isolation,
    changing change: @escaping (String) -> String = { $0 },
    _ body: (GatedBroker) async throws -> R
) async throws -> R {
    try await withTemporaryDirectory { directory in
        let town = try Town(in: directory)
        let log = directory + "/broker.log"
        return try await withBroker(changing: { template in
            change(
                template.replacing("log_dest stderr", with: "log_dest stderr\nlog_dest file \(log)")
                    + """

                    plugin \(library)
                    plugin_opt_database \(town.path)
                    plugin_opt_await_bridge false

                    """)
        }) { broker in
            try await body(GatedBroker(broker, town, log: log))
        }
    }
}

/// The build puts it next to this test bundle.
private let library = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "libKithGate.so").path

extension GatedBroker {
    /// Adds Alice with a phone and a tablet, Bob, who is in the family with her, and Carol, who is
    /// not.
    func settle() throws {
        try town.add("alice", "phone", "tablet")
        try town.add("bob", "phone")
        try town.add("carol", "phone")
        try town.found(.family, "alice", "bob")
        try town.found(.work, "carol")
    }
}
