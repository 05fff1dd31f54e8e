internal import JSON
internal import Tracking

/// Information for the people who come to a patient: age, gender, and recent measurements. The
/// broker retains none of it.
public struct PatientCondition: Sendable {
    /// Years.
    public let age: Int?
    public let gender: HealthProfile.Gender?
    /// Newest first, each with the device that measured it.
    public let samples: [(vitals: VitalSigns, device: Name)]

    public init(
        age: Int? = nil, gender: HealthProfile.Gender? = nil,
        samples: [(vitals: VitalSigns, device: Name)] = []
    ) {
        (self.age, self.gender, self.samples) = (age, gender, samples)
    }

    /// Returns `{user:{user,name,age?,gender?},vitals}`, which follows a call over the broker.
    public func payload(of user: String, _ name: String) -> [UInt8] {
        PatientCondition.payload.bytes(of: (user, name, self))
    }

    private static let payload = Payload<(user: String, name: String, PatientCondition)>(
        .init("user", .object(person)) { ($0.user, $0.name, $0.2) },
        .init("vitals", .samples) { $0.2 })

    static let person = Payload<(user: String, name: String, condition: PatientCondition?)>(
        .init("user", .text) { $0.user },
        .init("name", .text) { $0.name },
        .init("age", .count) { $0.condition?.age },
        .init("gender", .choice) { $0.condition?.gender })
}

extension WrittenKind where Value == PatientCondition {
    /// Vitals with `device`.
    static let samples = WrittenKind(.array(of: .payload("Vitals"))) { condition, json in
        json.array(condition.samples) { json, sample in
            json.object { json in json.listed(sample.vitals, sample.device) }
        }
    }
}
