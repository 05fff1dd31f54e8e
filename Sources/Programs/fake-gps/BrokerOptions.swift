internal import ArgumentParser
internal import Contract
internal import FakeGPS
internal import FoundationEssentials
internal import MQTT
internal import Numbers

struct BrokerOptions: ParsableArguments {
    @Option(help: "The broker's address.")
    var host = "127.0.0.1"

    @Option(help: "The broker's port. Default: 1883, or 8883 with --tls.")
    var port: Int32?

    @Option(help: "The user name of all phones. Default: with a password, each user's own name.")
    var username: String?

    @Option(help: "The password of all phones.")
    var password: String?

    @Option(
        help: ArgumentHelp(
            "A file with the phones' passwords: device tokens, USER.DEVICE.SECRET, one per line.",
            valueName: "file"))
    var tokens: String?

    @Flag(help: "Connect with TLS.")
    var tls = false

    @Option(
        help: ArgumentHelp(
            "With --tls: a PEM file of the certificate authorities to trust. Default: the system's.",
            valueName: "file"))
    var ca: String?

    @Option(
        help: ArgumentHelp(
            "The root of the service's topics.",
            valueName: "topic"))
    var root = "kith"

    @Option(
        help: ArgumentHelp(
            "Seconds to wait for the last receipts and answers.",
            valueName: "seconds"))
    var patience = 60.0

    func validate() throws {
        guard port.map({ (1...65535).contains($0) }) ?? true else {
            throw ValidationError("--port must be from 1 to 65535.")
        }
        guard ca == nil || tls else { throw ValidationError("--ca needs --tls.") }
        guard secondsRange.contains(patience) else {
            throw ValidationError("--patience must be from 0 to 1000000000.")
        }
        guard !root.isEmpty, root.utf8.count <= 100, root.utf8.allSatisfy({ $0 > 0x20 }),
            !root.contains("+"), !root.contains("#"), root.first != "/", root.last != "/"
        else { throw ValidationError("--root must be a topic without wildcards.") }
    }

    func fleetOptions() throws -> Fleet.Options {
        var options = Fleet.Options()
        options.host = host
        options.port = port ?? (tls ? 8883 : 1883)
        options.tls = tls ? ConnectionOptions.TLS(authorities: ca) : nil
        options.topics = TopicSpace(root: root)
        options.patience = .seconds(clamping: patience)
        return options
    }

    /// The tokens, keyed by `user.device`.
    func tokensByDevice() throws -> [String: String] {
        guard let tokens else { return [:] }
        let text: String
        do {
            text = try String(contentsOfFile: tokens, encoding: .utf8)
        } catch {
            throw Failure(description: "the file of tokens cannot be read.")
        }
        var result: [String: String] = [:]
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated() where !line.isEmpty
        {
            let parts = line.split(separator: ".", maxSplits: 2)
            guard parts.count == 3, let user = Name(parts[0]), let device = Name(parts[1]) else {
                throw Failure(
                    description: "line \(number + 1) of the file of tokens is not a token.")
            }
            result["\(user).\(device)"] = String(line)
        }
        return result
    }
}
