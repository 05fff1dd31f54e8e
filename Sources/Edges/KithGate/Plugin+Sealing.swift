internal import CMosquittoBroker
internal import Gate
internal import Glibc
internal import Sealing

extension Plugin {
    /// Replaces a payload that only the bridge must be able to read by an envelope, before the
    /// broker keeps it in memory or in its file.
    func seal(_ data: UnsafeMutableRawPointer?) {
        guard let event = unsafe data?.assumingMemoryBound(to: mosquitto_evt_message.self),
            let topic = unsafe Plugin.text(event.pointee.topic),
            let envelope = unsafe envelope(event.pointee, topic),
            // The broker frees it, and the payload that it replaces.
            let payload = unsafe mosquitto_malloc(envelope.count)
        else { return }
        unsafe payload.copyMemory(from: envelope, byteCount: envelope.count)
        unsafe event.pointee.payload = payload
        unsafe event.pointee.payloadlen = UInt32(envelope.count)
    }

    /// - Returns: nil if the message stays as it is.
    func envelope(_ event: mosquitto_evt_message, _ topic: String) -> [UInt8]? {
        guard let bytes = gatekeeper.envelopeKey(for: topic, at: Plugin.now),
            let key = EnvelopeKey(bytes)
        else { return nil }
        let content = unsafe Plugin.bytes(event.payload, Int(event.payloadlen))
        if sealer?.key == key, let envelope = sealer?.seal(content, as: topic) { return envelope }
        sealer = EnvelopeSealer(to: key)
        return sealer?.seal(content, as: topic)
    }
}
