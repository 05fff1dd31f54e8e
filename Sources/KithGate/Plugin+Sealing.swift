internal import CMosquittoBroker
internal import Gate
internal import Glibc
internal import Sealing

extension Plugin {
    /// Replaces a payload that only the bridge is to read by an envelope, before the broker keeps it
    /// in memory or in its file.
    func seal(_ data: UnsafeMutableRawPointer?) {
        guard let event = unsafe data?.assumingMemoryBound(to: mosquitto_evt_message.self),
            let topic = unsafe Plugin.text(event.pointee.topic),
            let bytes = gatekeeper.envelopeKey(for: topic, at: Plugin.now),
            let key = EnvelopeKey(bytes),
            let envelope = unsafe sealed(
                Plugin.bytes(event.pointee.payload, Int(event.pointee.payloadlen)),
                with: key, as: topic),
            // The broker frees it, and what it replaces.
            let payload = unsafe mosquitto_malloc(envelope.count)
        else { return }
        unsafe payload.copyMemory(from: envelope, byteCount: envelope.count)
        unsafe event.pointee.payload = payload
        unsafe event.pointee.payloadlen = UInt32(envelope.count)
    }

    private func sealed(_ content: [UInt8], with key: EnvelopeKey, as topic: String) -> [UInt8]? {
        if sealer?.key == key, let envelope = sealer?.seal(content, as: topic) { return envelope }
        sealer = EnvelopeSealer(to: key)
        return sealer?.seal(content, as: topic)
    }
}
