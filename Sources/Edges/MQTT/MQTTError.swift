internal import CMosquitto
internal import Glibc

/// A failed operation, with the library's or the broker's own code.
///
/// It never contains a topic, a payload or a password.
public struct MQTTError: Error, CustomStringConvertible, Equatable {
    public enum Operation: String, Sendable {
        case create, configure, connect, subscribe, publish, read, write, poll
    }

    public var operation: Operation
    /// A `MOSQ_ERR_…` code of libmosquitto or, for a refused connection, the reason code of MQTT.
    public var code: Int32
    public var reason: String

    public var description: String { "MQTT \(operation.rawValue) failed: \(reason) (\(code))" }

    /// Whether the library rejects only this one message, while the connection is fine.
    public var isAboutMessage: Bool {
        let codes = [
            MOSQ_ERR_INVAL, MOSQ_ERR_PAYLOAD_SIZE, MOSQ_ERR_MALFORMED_UTF8,
            MOSQ_ERR_OVERSIZE_PACKET, MOSQ_ERR_DUPLICATE_PROPERTY,
        ]
        return operation == .publish && codes.contains { $0.rawValue == code }
    }

    /// Whether the broker refuses the name and the password (MQTT 5, 3.2.2.2; MQTT 3.1.1, 3.2.2.3).
    package var refusesCredentials: Bool {
        operation == .connect && [4, 5, 134, 135].contains(code)
    }

    /// The broker did not answer in time.
    public static let silence = MQTTError(.read, code: MOSQ_ERR_KEEPALIVE.rawValue)
    /// The broker does not grant a subscription.
    public static let refusedSubscription = MQTTError(
        .subscribe, code: MOSQ_ERR_ACL_DENIED.rawValue)
    /// The packet is larger than the broker accepts.
    public static let tooLarge = MQTTError(.publish, code: MOSQ_ERR_OVERSIZE_PACKET.rawValue)

    /// Every identifier belongs to a message that the broker has not confirmed.
    static let tooManyUnconfirmed: MQTTError = {
        var error = MQTTError(.publish, code: MOSQ_ERR_NOMEM.rawValue)
        error.reason = "too many messages are unconfirmed"
        return error
    }()

    package init(_ operation: Operation, code: Int32) {
        self.operation = operation
        self.code = code
        guard code != MOSQ_ERR_KEEPALIVE.rawValue else {
            // The library has no text for it.
            self.reason = "no answer in time"
            return
        }
        let text =
            if code == MOSQ_ERR_ERRNO.rawValue {
                unsafe UnsafePointer(strerror(errno))
            } else if code >= firstRefusal {
                unsafe mosquitto_reason_string(code)
            } else {
                unsafe mosquitto_strerror(code)
            }
        self.reason = unsafe text.map { unsafe String(cString: $0) } ?? "unknown error"
    }

    /// - Parameter code: a reason code of MQTT 5 (from 128) or a return code of MQTT 3.1.1 (1 to
    ///   5).
    init(refused code: Int32) {
        self.init(.connect, code: code)
        if code < firstRefusal, let text = unsafe mosquitto_connack_string(code) {
            self.reason = unsafe String(cString: text)
        }
    }
}

/// Reason codes of MQTT 5 from here on mean failure.
let firstRefusal: Int32 = 0x80
