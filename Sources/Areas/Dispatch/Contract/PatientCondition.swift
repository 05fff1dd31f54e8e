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
        JSONWriter.object { json in
            json.key("user")
            json.person(user, name, self)
            json.samples(of: self)
        }
    }
}

extension JSONWriter {
    mutating func person(_ user: String, _ name: String, _ condition: PatientCondition?) {
        object { json in
            json.member("user", user)
            json.member("name", name)
            if let age = condition?.age { json.member("age", age) }
            json.member("gender", condition?.gender?.rawValue)
        }
    }

    mutating func samples(of condition: PatientCondition) {
        key("vitals")
        array(condition.samples) { json, sample in
            json.object { json in json.listed(sample.vitals, sample.device) }
        }
    }
}
