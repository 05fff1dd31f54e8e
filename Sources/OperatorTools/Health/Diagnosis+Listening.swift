internal import Contract
internal import Numbers
internal import Tracking

/// What others connect to.
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
                "broker-silent", "What listens at \(broker.address) does not answer as a broker",
                "restart the broker\(command("restart", "kith", or: "kith-broker")), and see whether it says that it cannot read the database, or who "
                    + "else has taken that port (ss -ltnp)")
        }
        if broker.refusesOperator {
            add(
                "broker-refuses",
                "The broker at \(broker.address) does not know the operator's token",
                "see that it is Kith's own (broker.host, broker.port), and restart the bridge")
        } else {
            judgeStatus(broker)
        }
        if !broker.closedPorts.isEmpty {
            add(
                "port-closed",
                "Nobody listens on port \(Diagnosis.list(broker.closedPorts)), which phones need",
                "see what mosquitto says when it is started")
        }
        if let gate = broker.otherGate {
            add(.pluginOutdated, "The broker runs the plugin of another version, \(gate)")
        }
        // It looks at the certificate itself, and earlier.
        let concerns = broker.concerns.filter {
            ![.certificateEnded, .certificateEnding].contains($0)
        }
        for concern in concerns { add(concern) }
        if broker.isMosquittoReplaced {
            add(
                "mosquitto-outdated", "Mosquitto was updated, and the one from before still runs",
                "restart it\(command("restart", "kith", or: "kith-broker"))")
        }
        if broker.isPluginReplaced {
            add(.pluginOutdated, "The broker still runs the plugin from before an upgrade")
        }
    }

    /// What the bridge has told the broker, and whether it answers.
    private mutating func judgeStatus(_ broker: Condition.Broker) {
        switch broker.status {
        // It is among the concerns.
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
                "degraded", "The bridge \(what) (\(broker.reason ?? "it gives no reason"))\(calls)",
                lockedBy ?? "see When something goes wrong in docs/production.md")
        case "online", "unknown":
            guard condition.bridge != nil, broker.bridgeAnswers == false else { return }
            add(
                "bridge-silent", "The bridge runs, but does not answer",
                "restart it\(command("restart", "kith", or: "kith-bridge")), and read what it says\(log)"
            )
        default:
            guard condition.bridge != nil else { return }
            add(
                "bridge-offline", "The bridge runs, but the broker does not hear it",
                "read what it says\(log); it tries again by itself")
        }
    }

    /// What to do about a database that another program has locked: to restart the bridge would end it.
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
                "no-page", "Nobody listens at \(condition.page.address)",
                condition.isPackaged
                    ? "read why\(log), or set web.address and web.port"
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
                "This machine finds no address for \(name), where phones are to come",
                "give the name one (DNS, or the router), unless phones know it otherwise", .advice)
        }
    }

    mutating func judgeCertificate() {
        if condition.isCertificateUnreadable {
            return add(
                "certificate-unreadable",
                "certificates/server.crt is no certificate that can be read",
                "make one (docs/production.md), readable for \(condition.directory.owner)")
        }
        guard let certificate = condition.certificate else { return }
        if certificate.isKeyForeign {
            add(
                "certificate-key",
                "certificates/server.key is not the key of certificates/server.crt, and neither broker nor page starts with them",
                "put in both of the same certificate (docs/production.md)")
        }
        let left = certificate.endsAt - condition.now
        if left < .zero {
            add(
                "certificate-ended", "The certificate has expired",
                "renew it (docs/production.md), and phones can connect again")
        } else if left < Diagnosis.certificateLeft {
            add(
                "certificate-ending",
                "The certificate expires in \(Int(clamping: left / .seconds(86_400))) days",
                "renew it (docs/production.md)")
        }
        if let name = condition.phonesName, !certificate.isFor(name) {
            let names = certificate.names.isEmpty ? "nobody" : Diagnosis.list(certificate.names)
            add(
                "certificate-name", "The certificate is for \(names), and phones come to \(name)",
                "make one for that name (docs/production.md)")
        }
        if !certificate.strangePorts.isEmpty {
            add(
                "certificate-not-loaded",
                "certificates/server.crt is not what is served on port \(Diagnosis.list(certificate.strangePorts))",
                "systemctl reload kith, or restart the broker, which loads it")
        }
    }

    /// A certificate that expires sooner is a trouble.
    public static let certificateLeft = Duration.seconds(30 * 86_400)
}
