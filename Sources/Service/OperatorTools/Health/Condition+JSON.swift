internal import Contract
public import JSON
internal import Store
internal import Tracking

extension Condition {
    /// For programs; `kith status --json`. Members are added, and never change their meaning.
    public func write(to json: inout JSONWriter) {
        func text(_ json: inout JSONWriter, _ key: StaticString, _ value: String?) {
            json.key(key)
            if let value { json.string(value) } else { json.null() }
        }
        func number(_ json: inout JSONWriter, _ key: StaticString, _ value: Int64?) {
            json.key(key)
            if let value { json.number(value) } else { json.null() }
        }
        func bool(_ json: inout JSONWriter, _ key: StaticString, _ value: Bool?) {
            json.key(key)
            if let value { json.bool(value) } else { json.null() }
        }
        func time(_ json: inout JSONWriter, _ key: StaticString, _ value: Timestamp?) {
            json.key(key)
            if let value { json.time(value) } else { json.null() }
        }
        func build(_ json: inout JSONWriter, _ key: StaticString, _ value: Build?) {
            json.key(key)
            guard let value else { return json.null() }
            json.object { json in
                text(&json, "version", value.version)
                text(&json, "commit", value.commit)
            }
        }
        time(&json, "now", now)
        build(&json, "program", program)
        json.key("data")
        json.object { json in
            text(&json, "directory", directory.path)
            bool(&json, "there", directory.isThere)
            text(&json, "owner", directory.owner)
            number(&json, "diskFreeBytes", directory.free)
            number(&json, "diskTotalBytes", directory.total)
        }
        json.key("database")
        if let database {
            json.object { json in
                number(&json, "bytes", database.bytes)
                number(&json, "walBytes", database.logBytes)
                number(&json, "schema", database.schema)
                number(&json, "newestSchema", database.newestSchema)
                number(&json, "accounts", database.accounts)
                number(&json, "groups", database.groups)
                if let decider = database.decider {
                    json.key("decider")
                    json.object { json in
                        text(&json, "name", decider.name)
                        time(&json, "since", decider.since)
                        number(&json, "epoch", decider.epoch)
                        text(&json, "version", decider.version)
                    }
                }
            }
        } else {
            json.null()
        }
        json.key("bridge")
        json.object { json in
            bool(&json, "running", bridge != nil)
            time(&json, "since", bridge?.since)
            number(&json, "process", bridge?.process)
            text(&json, "user", bridge?.user)
            build(&json, "build", bridge?.build)
            if bridge?.isStandingBy == true { bool(&json, "standby", true) }
        }
        json.key("broker")
        json.object { json in
            text(&json, "address", broker.address)
            bool(&json, "reachable", broker.isReachable)
            text(&json, "status", broker.status)
            text(&json, "reason", broker.reason)
            bool(&json, "answers", broker.isReachable ? !broker.isSilent : nil)
            bool(&json, "bridgeAnswers", broker.bridgeAnswers)
            text(&json, "otherGate", broker.otherGate)
            json.key("concerns")
            json.array(broker.concerns) { $0.string($1.rawValue) }
        }
        json.key("page")
        json.object { json in
            text(&json, "address", page.address)
            bool(&json, "listening", page.isListening)
        }
        json.key("certificate")
        if let certificate {
            json.object { json in
                json.key("names")
                json.array(certificate.names) { $0.string($1) }
                time(&json, "endsAt", certificate.endsAt)
                json.key("strangePorts")
                json.array(certificate.strangePorts) { $0.number(Int64($1)) }
            }
        } else {
            json.null()
        }
        text(&json, "phonesName", phonesName)
        text(&json, "registration", settings.registration.rawValue)
        time(&json, "lastBackup", lastBackup)
        text(&json, "mosquitto", machine.mosquitto)
        bool(&json, "clockSynchronised", machine.isClockSynchronised)
    }
}
