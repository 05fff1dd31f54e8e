import TestJSON

/// Steps about what I do, and what happens to me.
extension Story {
    /// - Returns: whether there is such a step.
    func act(_ step: String) async throws -> Bool {
        switch step {
        case "I access my group tracking information":
            members = try await installation.done("ann", "members.get", #"{"group":"\#(group)"}"#)[
                "members"
            ].elements

        case "I start sharing my location":
            try await installation.done("ann", "sharing.start", #"{"groups":["\#(group)"]}"#)
            try await move(to: 100)
        case "I stop sharing my location with that group":
            try await installation.done("ann", "sharing.start", #"{"groups":["\#(group)"]}"#)
            try await move(to: 100)
            try await sees("active")
            try await installation.done("ann", "sharing.stop", #"{"groups":["\#(group)"]}"#)
            try await installation.publish(Topic.fix("ann"), fix(at: 900))

        case "I activate the routing mode indicating a destination and the ETA":
            try await travel()
        case "I have arrived at the destination":
            // In the first tenth of the planned time no one has arrived yet.
            try await installation.done(
                "ann", "journey.start", #"{"extend":true,"eta":"\#(time(in: 4))"}"#)
            age = 0
            for metres in [4970.0, 4975, 4980] { try await move(to: metres, after: 0.5) }
        case "I have stopped the routing":
            try await installation.done("ann", "journey.stop")
        case "I have gone offline":
            await phone?.kill()
        case "I am back":
            phone = try await installation.phone(of: "ann")
        case "I have not arrived by the estimated time":
            let soon = time(in: 4)
            try await installation.done(
                "ann", "journey.start", #"{"extend":true,"eta":"\#(soon)"}"#)
        case "I have been stuck in the same position for a while":
            for _ in 0..<4 { try await move(to: 700, after: 22) }

        case "I trigger an SOS alert":
            try await installation.done("ann", "sos.trigger")
        case "I trigger an SOS alert with my location":
            (age, place) = (0, 400)
            try await installation.done("ann", "sos.trigger", #"{"fix":\#(fix(at: 400))}"#)
        case "I stop the SOS":
            try await installation.done("ann", "sos.stop")
        default: return false
        }
        return true
    }
}
