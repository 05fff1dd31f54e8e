internal import Contract
internal import Foundation
internal import Glibc
internal import Numbers
internal import Tracking

extension Condition {
    /// - Parameters:
    ///   - path: the served file (PEM).
    ///   - phonesName: the name or address that phones connect to; nil if none do.
    ///   - ports: the ports of this machine where it is to be served.
    public mutating func lookAtCertificate(
        _ path: String, phonesName: String?, servedOn ports: [Int]
    ) {
        self.phonesName = phonesName
        isPhonesNameKnown = phonesName.map(Listening.isKnown) ?? true
        certificate = Certificate(path)
        isCertificateUnreadable = certificate == nil && access(path, F_OK) == 0
        certificate?.compare(path, with: ports)
        certificate?.compareKey(path)
    }
}

extension Condition.Certificate {
    /// Nil if there is none, or it cannot be read.
    ///
    /// - Parameter path: the file (PEM).
    public init?(_ path: String) {
        guard access(path, R_OK) == 0,
            let answer = Tool.run(
                "openssl", ["x509", "-in", path, "-noout", "-enddate", "-ext", "subjectAltName"]),
            answer.status == 0
        else { return nil }
        self.init(openSSL: answer.output)
    }

    /// Records whether the key beside the file belongs to another certificate; not if it cannot be
    /// read.
    mutating func compareKey(_ path: String) {
        let key = path.replacing(/\.crt$/, with: ".key")
        guard access(key, R_OK) == 0,
            let own = Tool.run("openssl", ["x509", "-in", path, "-noout", "-pubkey"]),
            let other = Tool.run("openssl", ["pkey", "-in", key, "-pubout"]),
            own.status == 0, other.status == 0
        else { return }
        isKeyForeign = own.output != other.output
    }

    /// Records the ports on which a certificate other than the file's is served.
    ///
    /// - Parameter ports: ports of this machine, with TLS. A port without a listener, or without
    ///   TLS, serves no certificate.
    mutating func compare(_ path: String, with ports: [Int]) {
        guard let own = Condition.Certificate.first(in: contents(of: path)) else { return }
        strangePorts = ports.filter { port in
            let served = Tool.run(
                "timeout",
                // Any other signal may be blocked, as it is on the thread that starts it.
                [
                    "-s", "KILL", Condition.Certificate.patience, "openssl", "s_client",
                    "-connect", "127.0.0.1:\(port)",
                ])
            guard let other = Condition.Certificate.first(in: served?.output ?? "") else {
                return false
            }
            return other != own
        }
    }

    /// How long a listener may take, in seconds.
    private static let patience = "3"

    private func contents(of path: String) -> String {
        do { return try String(contentsOfFile: path, encoding: .utf8) } catch { return "" }
    }

    /// Returns the first certificate in a text, as between its lines (PEM).
    static func first(in text: String) -> String? {
        let begin = "-----BEGIN CERTIFICATE-----"
        guard let start = text.firstRange(of: begin)?.upperBound,
            let end = text[start...].firstRange(of: "-----END")?.lowerBound
        else { return nil }
        return String(text[start..<end].filter { !$0.isWhitespace })
    }

    /// - Parameter text: `notAfter=Nov 24 10:00:00 2027 GMT`, and the names.
    init?(openSSL text: String) {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "MMM d HH:mm:ss yyyy zzz"
        guard let end = text.firstMatch(of: /notAfter=(.+)/).map({ String($0.1) }),
            let date = formatter.date(from: end.split(separator: " ").joined(separator: " "))
        else { return nil }
        let names = text.matches(of: /(?:DNS|IP Address):([^,\s]+)/).map { String($0.1) }
        self.init(
            names: names,
            endsAt: Timestamp(milliseconds: Int64(clamping: date.timeIntervalSince1970) * 1000))
    }
}
