#if DEBUG
import Contract
import Settings
import Tracking

@testable import Bridge

/// Who is called for a person in need, as the operator configures it, and what they answer.
enum DispatchFiles {
    /// A GeoJSON FeatureCollection of areas.
    static func areas(_ bytes: [UInt8]) throws {
        let areas: DispatchAreas
        do throws(SettingsError) {
            areas = try DispatchAreas(geoJSON: bytes, "areas.geojson")
        } catch {
            return try expect(!error.reasons.isEmpty, "a refusal has a reason")
        }
        try expect(
            areas.bounded.count <= DispatchAreas.maximumAreas, "there are only so many areas")
        try expect(
            areas.bounded.allSatisfy { $0.region != nil } && areas.elsewhere.region == nil,
            "one area is for everywhere else")
        for area in areas.bounded {
            try expect((1...8).contains(area.ways.count), "an area has ways")
        }
        try expect(areas.area(at: nil).name == areas.elsewhere.name, "no position is elsewhere")
        for latitude in stride(from: -90.0, through: 90, by: 45) {
            for longitude in stride(from: -180.0, through: 180, by: 60) {
                guard let place = Coordinate(latitude: latitude, longitude: longitude) else {
                    throw Finding("these are places")
                }
                try expect(
                    !areas.area(at: place).number.isEmpty, "there is a number to call everywhere")
            }
        }
    }

    /// The answer of a dispatcher who was called.
    static func answer(_ bytes: [UInt8]) throws {
        let said = DispatchOutcome.Result(said: bytes)
        let answer: DispatchAnswer
        do throws(Problem) {
            answer = try DispatchAnswer(bytes)
        } catch {
            try Payloads.check(error)
            return try expect(said == .taken, "what is no answer says that they have it")
        }
        try expect(said == .answered(answer), "an answer is one, by whichever way it comes")
    }
}
#endif
