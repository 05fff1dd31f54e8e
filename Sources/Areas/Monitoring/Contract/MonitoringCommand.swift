public import EarlyWarning
internal import JSON

/// A device's requests about monitoring its user's vital signs.
public enum MonitoringCommand: AreaCommand {
    /// - `phone`: nil to leave it unchanged; an inner nil to remove it.
    /// - `groups`: the groups to alert; nil to leave them unchanged, initially all.
    case subscribe(phone: String??, groups: [GroupKey]?)
    /// - An inner nil restores the chart's threshold.
    case thresholds([Parameter: OwnThreshold?])
    case get
    case fine
    case reactivate
    case unsubscribe

    static let subscription = Form(
        Form("phone", .phone, "the number at which dispatch can call you back, `null` for none")
            .orNull,
        Form(
            "groups", .alerted,
            "which of your groups are alerted; default: at first all of them, later those you chose"
        ).ifPresent
    ) { phone, groups in
        let phone: String?? =
            switch phone {
            case .keep: nil
            case .remove: .some(nil)
            case .set(let number): number
            }
        return MonitoringCommand.subscribe(phone: phone, groups: groups)
    }.withoutOthers(beside: ["id"])

    static let bounds = Form("thresholds", .object(OwnThreshold.changes)).map {
        MonitoringCommand.thresholds($0)
    }

    /// Digits of a telephone number, with an optional `+`.
    public static let phoneLength = 3...20
}

extension Parameter {
    /// The measured quantity; nil for consciousness, which is not a number.
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

    /// The name in payloads of vital signs.
    public var field: String { quantity?.rawValue ?? rawValue }
}

extension OwnThreshold {
    fileprivate static let changes: Form<[Parameter: OwnThreshold?]> = {
        let bounds = Parameter.measured.map { parameter, quantity in
            (parameter, Form(quantity.rawValue, .threshold(in: quantity.range)).orNull)
        }
        let names = Parameter.measured.map(\.1.rawValue)
        return Form(ways: [bounds.flatMap { $0.1.ways[0] }]) { fields, circumstances in
            if !names.contains(where: fields.names) {
                fields.refuse(names[0], "or another member is required: nothing would change")
            }
            var changes: [Parameter: OwnThreshold?] = [:]
            for (parameter, form) in bounds {
                switch form.read(&fields, circumstances) {
                case .keep, nil: break
                case .remove: changes.updateValue(nil, forKey: parameter)
                case .set(let own): changes.updateValue(own, forKey: parameter)
                }
            }
            return changes
        }.withoutOthers()
    }()
}

extension Kind where Value == OwnThreshold {
    fileprivate static func threshold(in range: ClosedRange<Double>) -> Kind {
        .object(
            Form(
                Form<Double>("low", .number(range)).ifPresent,
                Form<Double>("high", .number(range)).ifPresent
            ) { OwnThreshold(low: $0, high: $1) }
            .reading { own, fields, _ in
                if let low = own.low, let high = own.high, low >= high {
                    fields.refuse("low", "must be less than high")
                    return nil
                }
                return own
            }.withoutOthers()
        )
        .checked { own, _ in own.low == nil && own.high == nil ? "must have low or high" : nil }
    }
}

extension Kind where Value == [GroupKey] {
    /// An empty list is rejected: a call would reach no one.
    fileprivate static let alerted = Kind(groups.schema) { value, field, fields, circumstances in
        if value != .array([]) { return groups.read(value, field, &fields, circumstances) }
        fields.refuse(field, "must not be empty")
        return nil
    }
}

extension Kind where Value == String {
    fileprivate static let phone = Kind.text(
        orRefuse: "must be a telephone number of 3 to 20 digits"
    ) { text in
        let digits = text.utf8.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let allowed = Set("0123456789+-/() ".utf8)
        let isNumber =
            MonitoringCommand.phoneLength.contains(digits) && text.utf8.count <= 32
            && text.utf8.allSatisfy { allowed.contains($0) }
        return isNumber ? text : nil
    }
}
