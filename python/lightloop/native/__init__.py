# SPDX-License-Identifier: Apache-2.0
"""What is compiled: the engine and the program lightloop. Users import lightloop."""
