internal import Contract
internal import Numbers
internal import Tracking

/// The diagnosis of everything that others connect to.
extension Diagnosis {
    mutating func judgeBroker() {
        let broker = condition.broker
        guard broker.isReachable else {
            return add(
                "no-broker", "No broker answers at \(broker.address)",
                "start it\(command("start", "kith", or: "kith-broker")), or set broker.host and broker.port"
            )
        }
        if broker.isSilent {
            return add(
                "broker-silent", "The program at \(broker.address) does not answer as a broker",
                "restart the broker\(command("restart", "kith", or: "kith-broker")), and check "
                    + "whether its log says that it cannot read the database, or what else has "
                    + "taken that port (ss -ltnp)")
        }
        if broker.refusesOperator {
            add(
                "broker-refuses",
                "The broker at \(broker.address) does not know the operator's token",
                "check that it is Kith's own (broker.host, broker.port), and restart the bridge")
        } else {
            judgeStatus(broker)
        }
        if !broker.closedPorts.isEmpty {
            add(
                "port-closed",
                "Nothing listens on port \(Diagnosis.list(broker.closedPorts)), which phones need",
                "check mosquitto's log when it starts")
        }
        if let gate = broker.otherGate {
            add(.pluginOutdated, "The broker runs another version of the plugin, \(gate)")
        }
        // The diagnosis checks the certificate itself, and reports it earlier.
        let concerns = broker.concerns.filter {
            ![.certificateEnded, .certificateEnding].contains($0)
        }
        for concern in concerns { add(concern) }
        if broker.isMosquittoReplaced {
            add(
                "mosquitto-outdated",
                "Mosquitto was updated, but the previous version is still running",
                "restart it\(command("restart", "kith", or: "kith-broker"))")
        }
        if broker.isPluginReplaced {
            add(.pluginOutdated, "The broker still runs the plugin from before an upgrade")
        }
    }

    /// Judges the bridge's status on the broker, and whether it answers.
    private mutating func judgeStatus(_ broker: Condition.Broker) {
        switch broker.status {
        // The reason is among the concerns.
        case "degraded" where broker.concerns.contains { $0.rawValue == broker.reason }: break
        case "degraded" where broker.reason == Concern.databaseDamaged.rawValue:
            add(
                .databaseDamaged,
                "The database is damaged, the bridge cannot store anything, and calls for help wait"
            )
        case "degraded":
            let what = broker.storesCalls ? "stores only calls for help" : "cannot store anything"
            let calls = broker.storesCalls ? "" : ", and calls for help wait"
            add(
                "degraded", "The bridge \(what) (\(broker.reason ?? "no reason given"))\(calls)",
                lockedBy ?? "see When something goes wrong in docs/production.md")
        case "online", "unknown":
            guard condition.bridge != nil, broker.bridgeAnswers == false else { return }
            add(
                "bridge-silent", "The bridge is running, but does not answer",
                "restart it\(command("restart", "kith", or: "kith-bridge")), and read its log\(log)"
            )
        default:
            guard condition.bridge != nil else { return }
            add(
                "bridge-offline", "The bridge is running, but is not connected to the broker",
                "read its log\(log); it retries automatically")
        }
    }

    /// The remedy for a database that another program has locked; restarting the bridge would end
    /// it.
    private var lockedBy: String? {
        guard let writers = condition.database?.writers, !writers.isEmpty,
            condition.broker.reason == "database-locked"
        else { return nil }
        return
            "end \(Diagnosis.list(writers)), which has locked the database, and do not restart the bridge"
    }

    mutating func judgePage() {
        if !condition.page.isListening, condition.bridge != nil {
            add(
                "no-page", "Nothing listens at \(condition.page.address)",
                condition.isPackaged
                    ? "read the log\(log), or set web.address and web.port"
                    : "start kith up or kith web, or set web.address and web.port")
        } else if condition.page.isOther {
            add(
                "page-taken",
                "\(condition.page.other ?? "Another program") listens at \(condition.page.address)",
                "end it, or set web.address and web.port")
        }
        for (concern, text) in condition.settings.faults.sorted(by: { $0.value < $1.value }) {
            add(concern, text)
        }
        if let name = condition.phonesName, !condition.isPhonesNameKnown {
            add(
                "name-unknown",
                "This machine finds no address for \(name), which phones are to use",
                "add one (DNS, or the router), unless phones resolve it otherwise", .advice)
        }
    }

    mutating func judgeCertificate() {
        if condition.isCertificateUnreadable {
            return add(
                "certificate-unreadable",
                "certificates/server.crt is not a readable certificate",
                "make one (docs/production.md), readable for \(condition.directory.owner)")
        }
        guard let certificate = condition.certificate else { return }
        if certificate.isKeyForeign {
            add(
                "certificate-key",
                "certificates/server.key is not the key of certificates/server.crt, so neither broker nor page can start",
                "install both from the same certificate (docs/production.md)")
        }
        let left = certificate.endsAt - condition.now
        if left < .zero {
            add(
                "certificate-ended", "The certificate has expired",
                "renew it (docs/production.md) so that phones can connect again")
        } else if left < Diagnosis.certificateLeft {
            add(
                "certificate-ending",
                "The certificate expires in \(Int(clamping: left / .seconds(86_400))) days",
                "renew it (docs/production.md)")
        }
        if let name = condition.phonesName, !certificate.isFor(name) {
            let names = certificate.names.isEmpty ? "no name" : Diagnosis.list(certificate.names)
            add(
                "certificate-name", "The certificate is for \(names), but phones use \(name)",
                "make one for that name (docs/production.md)")
        }
        if !certificate.strangePorts.isEmpty {
            add(
                "certificate-not-loaded",
                "certificates/server.crt is not served on port \(Diagnosis.list(certificate.strangePorts))",
                "systemctl reload kith, or restart the broker, which loads it")
        }
    }

    /// The remaining time below which a certificate is a trouble.
    public static let certificateLeft = Duration.seconds(30 * 86_400)
}
