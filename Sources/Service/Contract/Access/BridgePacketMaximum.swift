/// The Maximum Packet Size (MQTT 5, 3.1.2.11.4) that each of the bridge's connections announces: a
/// unique number, larger than any packet and so without effect.
///
/// The broker does not show its plugins a CONNECT's properties. From these numbers the gate finds
/// where the broker keeps that property of a client.
public enum BridgePacketMaximum {
    public static func announced(by clientID: String) -> UInt32 {
        // FNV-1a, whose numbers are far apart for ids that differ little.
        let hash = clientID.utf8.reduce(0x811c_9dc5 as UInt32) { hash, byte in
            (hash ^ UInt32(byte)) &* 0x0100_0193
        }
        return hash | beyondAnyPacket
    }

    /// A packet has at most 268,435,460 bytes (MQTT 5, 2.1.4).
    private static let beyondAnyPacket: UInt32 = 0x8000_0000
}
