import Foundation
import Glibc
import LocalBroker
import Logging
import QRCode
import Web

/// Everything that phones need to reach this machine, for `kith up --for-phones`: a certificate,
/// listeners, and a page with HTTPS. It requires as much as docs/production.md does.
struct PhoneAccess {
    /// The host name or address under which phones reach this machine.
    let name: String
    /// The directory of the certificates.
    let directory: String

    private static let mqttPort = 8883
    private static let webSocketPort = 8084
    static let pagePort = 8443
    /// The time before expiry at which it is renewed, in seconds: thirty days.
    private static let renewal = 30 * 86_400

    private var authority: String { "\(directory)/ca.crt" }
    private var chain: String { "\(directory)/server.crt" }
    private var key: String { "\(directory)/server.key" }
    private var isPrivate: Bool { FileManager.default.fileExists(atPath: authority) }

    /// - Throws: ``Complaint`` if it is neither a host name nor an IPv4 address.
    init(name: String, data: String) throws {
        let isHost = name.wholeMatch(of: /[A-Za-z0-9]([A-Za-z0-9.\-]*[A-Za-z0-9])?/) != nil
        guard name != "localhost", !name.hasPrefix("127.") else {
            throw Complaint(
                "--for-phones needs a name or an address that other machines can use, but \(name) "
                    + "is only this machine.")
        }
        guard isHost, name.utf8.count <= 64 else {
            throw Complaint(
                "--for-phones needs the host name or the IPv4 address under which phones reach this "
                    + "machine, such as \(PhoneAccess.addresses.first ?? "kith.example.org").")
        }
        self.name = name
        directory = URL(fileURLWithPath: data).path + "/certificates"
    }

    /// The certificate's files.
    var files: WebSettings.Certificate {
        WebSettings.Certificate(chain: chain, key: key, authority: isPrivate ? authority : nil)
    }

    /// The contents of the files of the certificate and its key.
    var certificateFiles: [Data?] {
        [chain, key].map { FileManager.default.contents(atPath: $0) }
    }

    /// The state of the certificate in the file.
    private enum Standing {
        case good, expiring, expired
        /// There is no certificate, or it is for another name.
        case useless
    }

    /// Creates or renews the certificates of `tools/certificates`. A certificate from elsewhere is
    /// left as it is, and the log reports if it is about to expire or has: clients that can still
    /// connect are served.
    ///
    /// - Throws: ``Complaint`` if there is then no certificate for this name.
    func makeCertificate(_ logger: Logger) throws {
        let standing = try standing()
        if standing == .good { return }
        let isThere = FileManager.default.fileExists(atPath: chain)
        if isThere, !FileManager.default.fileExists(atPath: "\(directory)/ca.key") {
            guard standing != .useless else {
                throw Complaint(
                    "The certificate \(chain) is not for \(name): replace it with one that is.")
            }
            return tell(standing, logger)
        }
        let (status, output) = try run(try CertificateTool.find(), [directory, name])
        if status == 0, try self.standing() == .good { return }
        guard standing != .useless else {
            throw Complaint("There is no certificate for \(name): \(output)")
        }
        logger.error("The certificate for phones cannot be renewed. \(output)")
        tell(standing, logger)
    }

    private func tell(_ standing: Standing, _ logger: Logger) {
        let wayOut =
            "put a new one into certificates/ in the data directory (server.crt with its chain, "
            + "server.key), then systemctl reload kith, or send kith up a SIGHUP."
        switch standing {
        case .expired:
            logger.error(
                "The certificate for phones has expired, and phones refuse it: \(wayOut)")
        case .expiring:
            logger.warning(
                "The certificate for phones expires within thirty days: \(wayOut)")
        case .good, .useless: break
        }
    }

    private func standing() throws -> Standing {
        guard FileManager.default.fileExists(atPath: chain) else { return .useless }
        func look(_ question: String, _ value: String) throws -> (status: Int32, output: String) {
            try run("openssl", ["x509", "-in", chain, "-noout", question, value])
        }
        let isAddress = name.wholeMatch(of: /[0-9.]+/) != nil
        let match = try look(isAddress ? "-checkip" : "-checkhost", name)
        guard match.output.contains("does match") else { return .useless }
        guard try look("-checkend", "0").status == 0 else { return .expired }
        let lasts = try look("-checkend", "\(PhoneAccess.renewal)")
        return lasts.status == 0 ? .good : .expiring
    }

    /// - Parameter program: a path, or a name to search for.
    private func run(_ program: String, _ arguments: [String]) throws -> (
        status: Int32, output: String
    ) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        (process.standardOutput, process.standardError) = (pipe, pipe)
        do { try process.run() } catch { throw Complaint("\(program) cannot be run.") }
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let output = String(decoding: data, as: UTF8.self)
        return (process.terminationStatus, output.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// - Parameter port: given on the command line.
    func apply(to web: inout WebSettings, port: Int?) throws {
        guard port != 0 else { throw Complaint("With --for-phones, --web-port must not be 0.") }
        web.server.address = "0.0.0.0"
        web.server.port = port ?? PhoneAccess.pagePort
        web.server.isBehindProxy = false
        web.server.origin =
            web.server.port == 443 ? "https://\(name)" : "https://\(name):\(web.server.port)"
        web.phones.host = name
        web.phones.port = PhoneAccess.mqttPort
        web.phones.tls = true
    }

    /// The broker's ports that phones connect to.
    static let phonePorts = [mqttPort, webSocketPort]

    /// The ports of production.conf.
    var ports: [ListeningPort] {
        let setting = "a broker configuration of your own (--broker-config)"
        return [
            ListeningPort(
                address: "0.0.0.0", number: PhoneAccess.mqttPort, purpose: "phones",
                setting: setting),
            ListeningPort(
                address: "0.0.0.0", number: PhoneAccess.webSocketPort,
                purpose: "MQTT over WebSockets", setting: setting),
        ]
    }

    // MARK: Instructions

    /// Writes a single line to a log, instead of steps and codes, which would be repeated with each
    /// start.
    func tellOnce(page address: String) throws {
        guard isatty(STDOUT_FILENO) == 0 else { return try tell(page: address) }
        let page = address.hasSuffix("/") ? address : address + "/"
        print("Phones reach this machine as \(name), and the page is \(page)")
        print(
            "What to do on a phone, with QR codes: kith phones (with the package: kithctl phones)")
        fflush(nil)
    }

    func tell(page address: String) throws {
        let page = address.hasSuffix("/") ? address : address + "/"
        print("\nPhones reach this machine as \(name). On a phone:\n")
        var step = 1
        if isPrivate {
            let (_, output) = try run(
                "openssl", ["x509", "-in", authority, "-noout", "-fingerprint", "-sha256"])
            let fingerprint = output.split(separator: "=").last ?? ""
            print(
                """
                \(step). Trust this installation's certificates, once. Open

                       \(page)ca.crt

                \(PhoneAccess.code(of: page + "ca.crt"))
                   The browser warns because it does not trust them yet: continue, and install the
                   file (iPhone: Settings, Profile Downloaded, then General, About, Certificate
                   Trust Settings; Android: Settings, Security, Install a certificate, CA
                   certificate).
                   It is the right one if its SHA-256 fingerprint is
                       \(fingerprint)

                """)
            step += 1
        }
        print(
            """
            \(step). Open the page, and create an account:

                   \(page)

            \(PhoneAccess.code(of: page))
            \(step + 1). To stay visible while the page is closed, use OwnTracks: on the page, “Me”,
               “Add my phone” shows its configuration (server \(name), port \(PhoneAccess.mqttPort),
               TLS).

            """)
        fflush(nil)
    }

    /// Prints instructions for when phones cannot reach the page yet.
    static func tellHow() {
        let example = addresses.first ?? "NAME"
        print(
            """

            Only this machine can reach the page and the broker. To use it with phones, start it
            with the name or address by which they reach this machine:

                kith up --for-phones \(example)

            """)
        fflush(nil)
    }

    /// Returns a code that is dark on light, whatever the terminal's colours.
    private static func code(of text: String) -> String {
        let lines = QRCode(text)?.halfBlocks ?? []
        let isTerminal = isatty(STDOUT_FILENO) == 1
        return lines.map { isTerminal ? "   \u{1B}[40;97m\($0)\u{1B}[0m" : "   \($0)" }
            .map { $0 + "\n" }.joined()
    }

    /// This machine's IPv4 addresses, except loopback.
    private static var addresses: [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0, let list = first else { return [] }
        defer { freeifaddrs(list) }
        let entries = sequence(first: list) { (entry: UnsafeMutablePointer<ifaddrs>) in
            entry.pointee.ifa_next
        }
        return entries.compactMap { entry -> String? in
            guard let address = entry.pointee.ifa_addr,
                Int32(address.pointee.sa_family) == AF_INET,
                entry.pointee.ifa_flags & UInt32(IFF_UP) != 0
            else { return nil }
            var text = [CChar](repeating: 0, count: 64)
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            guard
                getnameinfo(
                    address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
            else { return nil }
            let name = String(
                decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return name.hasPrefix("127.") ? nil : name
        }
    }
}
