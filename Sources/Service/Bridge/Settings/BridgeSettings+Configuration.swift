internal import Anonymity
internal import Contract
internal import MQTT
internal import Numbers
internal import Sealing
public import Settings
internal import Tracking

extension BridgeSettings: ConfiguredSettings {
    public init(_ reader: inout SettingsReader) {
        self.init()
        topics = reader.value("topics.root", topics, TopicSpace.rule) { TopicSpace(checking: $0) }

        databaseServer = reader.databaseServer()

        reader.reloadable { readRules(&$0) }

        disk.warnBelow = reader.mebibytes("disk.warnBelow", disk.warnBelow, 0...1_000_000)
        disk.reserve = reader.mebibytes("disk.reserve", disk.reserve, 0...1_024)
        if disk.reserve > 0 { disk.reserve = max(disk.reserve, BridgeSettings.Disk.leastReserve) }
        disk.gatherFor = .milliseconds(
            reader.integer("disk.gatherFor", Int(disk.gatherFor.milliseconds), 0...1_000))

        accounts.passwordCost = reader.integer(
            "accounts.passwordCost", accounts.passwordCost, PasswordHash.Cost.lnRange)
        accounts.registration = reader.value(
            "accounts.registration", accounts.registration, RegistrationPolicy.rule
        ) { RegistrationPolicy(rawValue: $0) }
        let lifetime = reader.reloadable { reader in
            reader.days("accounts.tokenLifetime", accounts.tokenLifetime ?? .zero, in: 0...36_500)
        }
        accounts.tokenLifetime = lifetime > .zero ? lifetime : nil
        accounts.termsVersion = reader.termsVersion()
        reader.reloadable { readServices(&$0) }
        cohorts.policy = reader.cohortPolicy(cohorts.policy)

        sealingKeys = reader.value(
            "keys.vitals", sealingKeys, "must be keys as in the file keys/vitals", isSecret: true
        ) { SealingKeys($0) }

        broker.host = reader.string("broker.host", broker.host)
        broker.port = Int32(reader.integer("broker.port", Int(broker.port), 1...65535))
        broker.clientID = reader.string(
            "broker.clientId", broker.clientID, after: "kith:bridge.")
        broker.username = reader.string(ifPresent: "broker.username")
        broker.password = reader.string(ifPresent: "broker.password", isSecret: true)
        broker.hasGate = reader.bool("broker.hasGate", broker.hasGate)
        broker.autosaveInterval = reader.seconds(
            "broker.autosaveInterval", broker.autosaveInterval)
        broker.tls = reader.part(ifTrue: "broker.tls") { $0.brokerTLS() }
        broker.all = reader.value("brokers", [], Broker.rule) { Broker.addresses($0) }
        if broker.all.contains(where: \.usesTLS) { broker.tlsOfAll = reader.brokerTLS() }
        let mayHaveSeveral = databaseServer != nil || broker.all.isEmpty
        reader.part(()) { reader throws(SettingsError) in
            try reader.require(
                mayHaveSeveral, "brokers needs database: the brokers share a database server.")
        }
        channels = reader.part(channels) { reader throws(SettingsError) in
            try ChannelSettings(&reader)
        }
        emergency = reader.reloadable { EmergencySettings(&$0) }
        self.operator = OperatorSettings(&reader)
        let hasServer = channels.mail != nil || self.operator.mail == nil
        reader.part(()) { reader throws(SettingsError) in
            try reader.require(hasServer, "operator.mail needs mail.host and mail.from.")
        }
        directory = reader.part(nil) { reader throws(SettingsError) in
            try DirectoryLogin.read(&reader)
        }
        files = reader.files
    }

    private mutating func readRules(_ reader: inout SettingsReader) {
        rules.arrivalRadius = reader.metres("tracking.arrivalRadius", rules.arrivalRadius)
        rules.stuckRadius = reader.metres("tracking.stuckRadius", rules.stuckRadius)
        rules.stuckAfter = reader.seconds("tracking.stuckAfter", rules.stuckAfter)
        rules.offlineAfter = reader.seconds("tracking.offlineAfter", rules.offlineAfter)
        rules.silentAfter = reader.seconds("tracking.silentAfter", rules.silentAfter)
        rules.backfillAge = reader.seconds("tracking.backfillAge", rules.backfillAge)
        rules.repeatAfter = reader.seconds("escalation.repeatAfter", rules.repeatAfter)
        rules.repeatAtMost = reader.integer("escalation.repeatAtMost", rules.repeatAtMost, 0...1000)

        rules.remindAfter = reader.days(
            "sharing.remindAfter", rules.remindAfter, in: 0...36_500)
        limits.retention = reader.days("retention.fixes", limits.retention)
        retention.sosPath = reader.days("retention.sosPath", retention.sosPath)
        retention.alerts = reader.days("retention.alerts", retention.alerts)
        retention.chat = reader.days("retention.chat", retention.chat)
        retention.notices = reader.days("retention.notices", retention.notices)
        retention.vitals = reader.days("retention.vitals", retention.vitals)
        retention.imports = reader.days("retention.imports", retention.imports)
        retention.accessLog = reader.days("retention.accessLog", retention.accessLog)
        retention.incidents = reader.days("retention.incidents", retention.incidents)
        retention.runs = reader.days("retention.runs", retention.runs)
    }

    private mutating func readServices(_ reader: inout SettingsReader) {
        accounts.companiesNeedSecondFactor = reader.bool(
            "services.secondFactor", accounts.companiesNeedSecondFactor)
        accounts.companiesNeedConfirmedAddress = reader.bool(
            "services.confirmedAddress", accounts.companiesNeedConfirmedAddress)
        accounts.strangersPerDay = reader.integer(
            "services.strangersPerDay", accounts.strangersPerDay, 0...1_000_000)
    }
}

extension SettingsReader {
    fileprivate mutating func brokerTLS() -> ConnectionOptions.TLS {
        ConnectionOptions.TLS(
            authorities: file(ifPresent: "broker.tlsAuthorities"),
            certificate: file(ifPresent: "broker.tlsCertificate"),
            key: file(ifPresent: "broker.tlsKey"))
    }

    fileprivate mutating func cohortPolicy(_ usual: CohortPolicy) -> CohortPolicy {
        CohortPolicy(
            k: integer("cohorts.k", usual.k, CohortPolicy.leastK...1_000_000),
            cost: epsilon("cohorts.epsilon", usual.cost),
            requesterBudget: epsilon("cohorts.companyBudget", usual.requesterBudget),
            dataBudget: epsilon("cohorts.budget", usual.dataBudget))
    }

    /// - Returns: bytes.
    fileprivate mutating func mebibytes(_ key: String, _ usual: Int64, _ range: ClosedRange<Int>)
        -> Int64
    {
        Int64(integer(key, Int(usual >> 20), range)) << 20
    }

    private mutating func epsilon(_ key: String, _ usual: Epsilon) -> Epsilon {
        value(key, usual, "must be a number from 0.001 to 1000") { text in
            guard let value = Double(text), (0.001...1_000).contains(value) else { return nil }
            return Epsilon(thousandths: Int(clamping: (value * 1_000).rounded()))
        }
    }
}
