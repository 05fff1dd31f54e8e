internal import CMosquitto
internal import Glibc

/// The world outside said no: the operation and the library's or the broker's own code.
///
/// It never carries a topic, a payload or a password.
public struct MQTTError: Error, CustomStringConvertible, Equatable {
    public enum Operation: String, Sendable {
        case create, configure, connect, subscribe, publish, read, write, poll
    }

    public var operation: Operation
    /// A `MOSQ_ERR_…` code of libmosquitto, or for a refused connection the reason code of MQTT.
    public var code: Int32
    public var reason: String

    public var description: String { "MQTT \(operation.rawValue) failed: \(reason) (\(code))" }

    init(_ operation: Operation, code: Int32) {
        self.operation = operation
        self.code = code
        if code == MOSQ_ERR_ERRNO.rawValue, let text = unsafe strerror(errno) {
            self.reason = unsafe String(cString: text)
        } else if let text = unsafe mosquitto_strerror(code) {
            self.reason = unsafe String(cString: text)
        } else {
            self.reason = "unknown error"
        }
    }

    init(refused code: Int32) {
        self.operation = .connect
        self.code = code
        if let text = unsafe mosquitto_reason_string(code) {
            self.reason = unsafe String(cString: text)
        } else {
            self.reason = "refused"
        }
    }
}
