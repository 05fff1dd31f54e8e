import Foundation
import TestSupport

/// Topics of the contract, spelt out once.
enum Topic {
    static let status = "kith/system/status"

    static func device(_ user: String, _ device: String = "phone") -> String {
        "kith/users/\(user)/devices/\(device)"
    }

    static func fix(_ user: String) -> String { device(user) + "/fix" }
    static func member(_ group: String, _ user: String) -> String {
        "kith/groups/\(group)/members/\(user)"
    }
    static func chat(_ group: String) -> String { "kith/groups/\(group)/chat" }
    static func alerts(_ group: String) -> String { "kith/groups/\(group)/alerts" }
}

/// Places along a meridian, in metres to the north.
enum Place {
    static func latitude(_ metres: Double) -> Double {
        ((46.05 + metres / 111_195) * 1e7).rounded() / 1e7
    }
    static let longitude = 14.5
}

/// A Fix as a device sends it.
///
/// - Parameter age: how many seconds ago it was taken.
func fix(at metres: Double, age: Double = 0, _ more: String = "") -> String {
    let milliseconds = Int64((Date().timeIntervalSince1970 - age) * 1000)
    return """
        {"latitude":\(Place.latitude(metres)),"longitude":\(Place.longitude),"accuracy":5,\
        "timestamp":\(milliseconds)\(more)}
        """
}

/// A time relative to now, as RFC 3339.
func time(in seconds: Double) -> String {
    Date(timeIntervalSinceNow: seconds).ISO8601Format(.init(includingFractionalSeconds: true))
}

extension JSON {
    /// Whether it is a Fix there, to within a metre.
    func isFix(at metres: Double) -> Bool {
        abs((self["latitude"].number ?? 0) - Place.latitude(metres)) < 0.000_009
    }
}
