internal import Glibc
internal import MQTT

/// Checks whether a program listens on a port.
public enum Listening {
    /// How long to wait for an answer.
    private static let patience = Duration.seconds(2)

    /// - Parameter host: a name or an address; `0.0.0.0` and `::` are this machine.
    public static func isSomebody(at host: String, _ port: Int) -> Bool {
        let name = host == "0.0.0.0" ? "127.0.0.1" : host == "::" ? "::1" : host
        return Reachability.answers(at: name, Int32(clamping: port), within: patience)
    }

    /// Returns the program of this machine that listens on a port; nil if there is none, or it is
    /// not visible.
    public static func program(on port: Int) -> (name: String, process: String)? {
        ProcessFiles.listener(on: port).map { ($0.program, $0.process) }
    }

    /// Returns whether this machine finds an address for a name.
    public static func isKnown(_ name: String) -> Bool {
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, nil, &found) == 0, let found else { return false }
        freeaddrinfo(found)
        return true
    }
}
