import MQTT

/// Does ``PasswordWork`` on a thread of its own. The engine submits no more than
/// ``BridgeSettings/maximumPasswordWork`` at a time.
typealias PasswordWorker = SerialWorker<PasswordWork, PasswordOutcome>

extension PasswordWorker {
    convenience init(waker: Waker) {
        self.init("passwords", waker: waker) { [$0.perform()] }
    }
}
