import Glibc

/// A port on which this program is about to listen.
struct ListeningPort {
    /// An IPv4 or IPv6 address.
    let address: String
    let number: Int
    /// The listener: `the broker`.
    let purpose: String
    /// The setting that changes it.
    let setting: String
    /// Whether nothing starts without it.
    var isNeeded = true

    /// Checks the ports.
    ///
    /// - Returns: the reasons why ports are unavailable, and whether anything can start without
    ///   them: two parts of this program must not contend for one.
    static func complaints(_ ports: [ListeningPort]) -> (words: [String], canStart: Bool) {
        var (words, canStart) = ([String](), true)
        for (index, port) in ports.enumerated() where port.number != 0 {
            if let other = ports[..<index].first(where: { $0.number == port.number }) {
                words.append(
                    "Port \(port.number) is for \(other.purpose) and for \(port.purpose): choose another "
                        + "one with \(port.setting).")
                canStart = false
            } else if let reason = port.reason {
                words.append(reason)
                if port.isNeeded { canStart = false }
            }
        }
        return (words, canStart)
    }

    /// The reason why it cannot be listened on; nil if it can.
    private var reason: String? {
        let code = errorOfListening()
        switch code {
        case 0: return nil
        case EADDRINUSE:
            let debian =
                number == 1883
                ? ", perhaps by Debian's own mosquitto (systemctl disable --now mosquitto)" : ""
            return
                "Port \(number) is taken\(debian): choose another one for \(purpose) with \(setting)."
        default:
            let words = String(cString: strerror(code))
            return
                "Port \(number) cannot be used for \(purpose) (\(words)): choose another one with "
                + "\(setting)."
        }
    }

    /// Listens there for a moment. Names are left to the eventual listener.
    private func errorOfListening() -> Int32 {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address, "\(number)", &hints, &found) == 0, let found else { return 0 }
        defer { freeaddrinfo(found) }
        let info = found.pointee
        let descriptor = socket(info.ai_family, info.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        // Connections of an earlier process that the kernel remembers do not count.
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, info.ai_addr, info.ai_addrlen) == 0, listen(descriptor, 1) == 0
        else {
            return errno
        }
        return 0
    }
}
