/// Why the broker does not run, as one sentence for the person who started Kith.
public enum BrokerError: Error, Equatable, CustomStringConvertible {
    /// A file that belongs to Kith is missing; in words.
    case missing(String)
    case notInstalled
    case portTaken(UInt16)
    /// The operating system does not allow us to listen on the port.
    case portRefused(UInt16, reason: String)
    /// One of our files or directories cannot be read or written.
    case file(path: String, reason: String)
    /// Mosquitto cannot be executed.
    case spawn(reason: String)
    /// Mosquitto ended before it accepted a connection; the reason is the last thing that it
    /// logged.
    case endedAtOnce(reason: String)
    case notReady(port: UInt16, after: Duration)
    /// We are root, and the configuration does not keep Mosquitto as root.
    case startedByRoot

    /// Whether another try may help.
    var isTemporary: Bool { if case .notReady = self { true } else { false } }

    public var description: String {
        switch self {
        case .missing(let sentence): sentence
        case .notInstalled:
            "Mosquitto is not installed: apt-get install mosquitto"
        case .portTaken(let port):
            """
            Port \(port) is taken, perhaps by Debian's own mosquitto: stop it with \
            'systemctl disable --now mosquitto', or choose another with --port.
            """
        case .portRefused(let port, let reason):
            "Port \(port) cannot be used (\(reason)): choose another with --port."
        case .file(let path, let reason):
            "The broker needs \(path), which cannot be used: \(reason)."
        case .spawn(let reason):
            "Mosquitto cannot be started: \(reason)"
        case .endedAtOnce(let reason):
            "Mosquitto ended immediately after starting: \(reason)"
        case .notReady(let port, let duration):
            "Mosquitto did not accept connections on port \(port) within \(duration)."
        case .startedByRoot:
            """
            If root starts Mosquitto, it runs as the user mosquitto, who cannot read Kith's data: \
            run Kith as a user of its own (docs/production.md).
            """
        }
    }
}
