internal import MQTT
internal import Tracking

/// Everything that a turn depends on besides the store and chance.
package struct TurnInput: Sendable {
    let messages: [Message]
    let now: Timestamp
    let listeningSince: Timestamp
    let duties: Engine.Duties
    let passwords: [PasswordOutcome]
    let course: Course
}
