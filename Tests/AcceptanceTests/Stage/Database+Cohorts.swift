import Foundation
import GRDB

extension Database {
    /// People who agree to be counted, and go four hundred metres in each hour of a day, in one place.
    func walk(_ people: Int, on day: Int) throws {
        let cell = Int64(460_500_000) << 32 | 145_000_000
        // From a day's walking the noise leaves a mean, which is reported from 2 km.
        let metres = withUnsafeBytes(of: Float(400).bitPattern.littleEndian) { Data($0) }
        // Each hour has a distance and a cell.
        let hour = [3] + metres + withUnsafeBytes(of: cell.littleEndian) { Data($0) }
        let positions = Data([1]) + (0..<24).reduce(Data()) { sum, _ in sum + hour }
        for number in 1...people {
            try execute(
                sql: """
                    INSERT INTO users (name, display_name, owntracks_publish_is, created_at_ms)
                    VALUES (?, ?, 'fix', 0)
                    """, arguments: ["walker\(number)", "Walker"])
            let user = lastInsertedRowID
            try execute(
                sql: "INSERT INTO vitals_consents (user_id, at_ms) VALUES (?, 0)",
                arguments: [user])
            try execute(sql: "INSERT INTO cohort_people (user_id) VALUES (?)", arguments: [user])
            try execute(
                sql: "INSERT INTO cohort_days (user_id, day, positions) VALUES (?, ?, ?)",
                arguments: [user, day, positions])
        }
    }

    func setCompleteHour(_ hour: Int) throws {
        try execute(
            sql: "INSERT OR REPLACE INTO cohort_progress (id, complete_hour) VALUES (1, ?)",
            arguments: [hour])
        try execute(
            sql: "UPDATE cohort_subscriptions SET next_hour = ?", arguments: [hour + 1])
    }
}
