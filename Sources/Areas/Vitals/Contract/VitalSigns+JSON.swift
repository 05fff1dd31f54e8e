public import JSON
public import Tracking

/// A message that a device publishes on its `vitals` topic: one sample, or an array of them.
public typealias VitalsMessage = SampleMessage<VitalSigns>

extension VitalSigns: DeviceSample {
    public static var plural: String { "vital signs" }

    /// Reads Vitals (reference, Payloads), or a data point of Open mHealth. Without any reading,
    /// its ``kinds`` are empty.
    public init(
        _ value: JSONValue, _ fields: inout Fields, receivedAt now: Timestamp, _ limits: FixLimits
    ) throws(Problem) {
        let sequence = fields.sequence()
        let content =
            OpenMHealth.isDataPoint(value)
            ? OpenMHealth.read(value, &fields) : VitalSigns.read(&fields)
        let takenAt = fields.corrected(content.takenAt, content.timeField, now, limits)
        try fields.check()
        guard let takenAt else { throw .incomplete }
        try limits.checkAge(of: takenAt, at: now, VitalSigns.plural)
        self.init(
            takenAt: takenAt, receivedAt: now, content.values,
            consciousness: content.consciousness, activity: content.activity, sequence: sequence)
    }

    /// The content of a sample, and the name of the field with its time.
    struct Content {
        var takenAt: Timestamp?
        var timeField = "timestamp"
        var values: [Quantity: Double] = [:]
        var consciousness: Consciousness?
        var activity: Activity?
    }

    private static func read(_ fields: inout Fields) -> Content {
        var content = Content(takenAt: fields.time("timestamp"))
        var isGiven = false
        for quantity in Quantity.allCases where fields.names(quantity.rawValue) {
            isGiven = true
            content.values[quantity] = fields.measured(quantity.rawValue, quantity.measurable)
        }
        if fields.names("consciousness") {
            isGiven = true
            content.consciousness = fields.leavingOut { $0.word("consciousness") }
        }
        if fields.names("activity") {
            isGiven = true
            content.activity = fields.leavingOut { $0.word("activity") }
        }
        fields.leaveOutMisspelt(among: Quantity.allCases.map(\.rawValue))
        if !isGiven { fields.refuse("timestamp", "is the only member: nothing was measured") }
        fields.leaveOutPressures("diastolicPressure", of: &content.values)
        return content
    }

    public static func time(of value: JSONValue) -> Timestamp? {
        OpenMHealth.isDataPoint(value)
            ? OpenMHealth.time(of: value) : Timestamp(inMember: "timestamp", of: value)
    }
}

extension Fields {
    /// Reads one of a few words.
    fileprivate mutating func word<Word: RawRepresentable & CaseIterable>(_ field: String) -> Word?
    where Word.RawValue == String {
        guard let text = string(ifPresent: field) else { return nil }
        let word = Word(rawValue: text)
        if word == nil {
            refuse(field, "must be \(Word.allCases.map(\.rawValue).joined(separator: " or "))")
        }
        return word
    }

    /// Omits both pressures if they cannot both be right.
    mutating func leaveOutPressures(
        _ field: String, of values: inout [VitalSigns.Quantity: Double]
    ) {
        guard let systolic = values[.systolicPressure], let diastolic = values[.diastolicPressure],
            diastolic > systolic
        else { return }
        (values[.systolicPressure], values[.diastolicPressure]) = (nil, nil)
        leaveOut(field, "must not be above the systolic pressure: both are omitted")
    }
}

extension VitalSigns {
    /// What is read and written here, by hand.
    static let row = PayloadRow(
        "Vitals",
        [.init("timestamp", .time)]
            + Quantity.allCases.map { .measured($0.rawValue, $0.range) } + [
                .init(
                    "consciousness", isRequired: false, WrittenKind<Consciousness>.choice.schema),
                .init("activity", isRequired: false, WrittenKind<Activity>.choice.schema),
                .sequence, .receivedAt,
            ],
        "with at least one value; those outside their bounds are left out",
        or: OpenMHealth.schema)
}

extension JSONWriter {
    /// Writes Vitals as they are published, and as devices send them.
    ///
    /// - Parameter isNumbered: whether to include the device's own number.
    public mutating func vitals(_ vitals: VitalSigns, isNumbered: Bool = true) {
        object { json in json.vitalsMembers(vitals, isNumbered: isNumbered) }
    }

    /// Writes the same without braces.
    private mutating func vitalsMembers(_ vitals: VitalSigns, isNumbered: Bool = true) {
        key("timestamp")
        time(vitals.takenAt)
        measured(vitals)
        if isNumbered, let sequence = vitals.sequence {
            key("seq")
            number(sequence)
        }
        key("receivedAt")
        time(vitals.receivedAt)
    }

    /// Writes Vitals as their owner lists them.
    public mutating func listed(_ vitals: VitalSigns, _ device: Name) {
        member("device", device.text)
        vitalsMembers(vitals)
    }

    /// Writes the measurements, without the times.
    mutating func measured(_ vitals: VitalSigns) {
        for quantity in VitalSigns.Quantity.allCases { optional(quantity.key, vitals[quantity]) }
        member("consciousness", vitals.consciousness?.rawValue)
        member("activity", vitals.activity?.rawValue)
    }
}

extension VitalSigns {
    /// The content to encrypt: only the measured values.
    public var sealedContent: [UInt8] { JSONWriter.object { $0.measured(self) } }

    /// Restores a stored sample.
    ///
    /// - Returns: nil if the content was not made by ``sealedContent``.
    public init?(
        takenAt: Timestamp, receivedAt: Timestamp, sequence: Int64?, content: [UInt8]
    ) {
        guard let value = JSONValue(parsing: content) else { return nil }
        var values: [Quantity: Double] = [:]
        for quantity in Quantity.allCases {
            guard case .number(let number)? = value[quantity.rawValue], number.isFinite else {
                continue
            }
            values[quantity] = number
        }
        self.init(
            takenAt: takenAt, receivedAt: receivedAt, values,
            consciousness: value["consciousness"]?.text.flatMap { Consciousness(rawValue: $0) },
            activity: value["activity"]?.text.flatMap { Activity(rawValue: $0) },
            sequence: sequence)
    }
}

extension VitalSigns.Quantity {
    /// The raw value.
    var key: StaticString {
        switch self {
        case .heartRate: "heartRate"
        case .oxygenSaturation: "oxygenSaturation"
        case .respiratoryRate: "respiratoryRate"
        case .systolicPressure: "systolicPressure"
        case .diastolicPressure: "diastolicPressure"
        case .bodyTemperature: "bodyTemperature"
        }
    }
}
