public import EarlyWarning
internal import JSON

/// What a device may ask for about the watching of its user's vital signs.
public enum MonitoringCommand: AreaCommand {
    /// - `phone`: nil leaves it as it is; nil in it: none.
    /// - `groups`: those that are alerted; nil leaves them as they are, at first all.
    case subscribe(phone: String??, groups: [GroupKey]?)
    /// - Nil in it: the chart's.
    case thresholds([Parameter: OwnThreshold?])
    case get
    case fine
    case reactivate
    case unsubscribe

    static func subscribe(_ fields: inout Fields) -> MonitoringCommand? {
        fields.refuseOthers(than: ["phone", "groups", "id"])
        let (phone, groups) = (fields.changedPhone(), fields.changedGroups())
        guard let phone, let groups else { return nil }
        return .subscribe(phone: phone, groups: groups)
    }

    static func thresholds(_ fields: inout Fields) -> MonitoringCommand? {
        fields.nested("thresholds") { fields -> [Parameter: OwnThreshold?] in
            let names = Parameter.measured.map(\.1.rawValue)
            fields.refuseOthers(than: names)
            if !names.contains(where: fields.names) {
                fields.refuse(names[0], "or another one has to be named: nothing would change")
            }
            var changes: [Parameter: OwnThreshold?] = [:]
            for (parameter, quantity) in Parameter.measured {
                let name = quantity.rawValue
                if fields.isNull(name) {
                    changes.updateValue(nil, forKey: parameter)
                } else if fields[name] != nil, let own = fields.threshold(name, in: quantity.range)
                {
                    changes.updateValue(own, forKey: parameter)
                }
            }
            return changes
        }.map { .thresholds($0) }
    }

    /// Digits of a telephone number, with an optional `+`.
    public static let phoneLength = 3...20
}

extension Parameter {
    /// What measures it; nil for consciousness, which is no number.
    public var quantity: VitalSigns.Quantity? {
        switch self {
        case .respiration: .respiratoryRate
        case .oxygenSaturation: .oxygenSaturation
        case .systolicPressure: .systolicPressure
        case .pulse: .heartRate
        case .consciousness: nil
        case .temperature: .bodyTemperature
        }
    }

    static var measured: [(Parameter, VitalSigns.Quantity)] {
        allCases.compactMap { parameter in parameter.quantity.map { (parameter, $0) } }
    }

    /// As vital signs are called in payloads.
    public var field: String { quantity?.rawValue ?? rawValue }
}

extension Fields {
    fileprivate mutating func threshold(_ field: String, in range: ClosedRange<Double>)
        -> OwnThreshold?
    {
        let own = nested(field) { fields -> OwnThreshold? in
            fields.refuseOthers(than: ["low", "high"])
            let low = fields.number(ifPresent: "low", in: range)
            let high = fields.number(ifPresent: "high", in: range)
            return low == nil && high == nil ? nil : OwnThreshold(low: low, high: high)
        }
        guard let own else {
            refuse(field, "must have low or high")
            return nil
        }
        if let low = own.low, let high = own.high, low >= high {
            refuse("\(field).low", "must be less than high")
            return nil
        }
        return own
    }

    /// - Returns: nil if they were refused; nil in it if there are none. No groups are refused: a call
    ///   would reach nobody.
    fileprivate mutating func changedGroups() -> [GroupKey]?? {
        switch self["groups"] {
        case nil: return .some(nil)
        case .array(let elements) where elements.isEmpty: refuse("groups", "must not be empty")
        case .array(let elements): return groupKeys(elements).map { .some($0) }
        default: refuse("groups", "must be a list of group ids")
        }
        return nil
    }

    /// - Returns: nil if it was refused.
    fileprivate mutating func changedPhone() -> String??? {
        if isNull("phone") { return .some(.some(nil)) }
        guard self["phone"] != nil else { return .some(nil) }
        guard let text = string(ifPresent: "phone") else { return nil }
        let digits = text.utf8.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let allowed = Set("0123456789+-/() ".utf8)
        guard MonitoringCommand.phoneLength.contains(digits), text.utf8.count <= 32,
            text.utf8.allSatisfy({ allowed.contains($0) })
        else {
            refuse("phone", "must be a telephone number of 3 to 20 digits")
            return nil
        }
        return .some(.some(text))
    }
}
